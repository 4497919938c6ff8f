// The same decorators in the TC39 convention. Checked by the compiler alone.
import { Choice, Int, ListOf, Nested, Text } from "../../src/doors/dto/index.js";

class Leaf {
  @Text({ prompt: "Its name." }) name!: string;
}
class Fits extends Leaf {
  @Int({ optional: true }) count?: number;
  @Choice(["a", "b"], { nullable: true }) letter!: "a" | "b" | null;
  @ListOf(() => Fits) more!: Fits[];
  @Nested(Leaf) leaf!: Leaf;
}
class Wrong {
  // @ts-expect-error text for a number
  @Text() a!: number;
  // @ts-expect-error optional, and the field does not say so
  @Int({ optional: true }) b!: number;
  // @ts-expect-error items of another type
  @ListOf("int") c!: string[];
  // @ts-expect-error another class
  @Nested(Fits) d!: { name: number };
}
void [Fits, Wrong];
