// The same decorators in the TC39 convention. Checked by the compiler alone.
import { Choice, DateTime, Int, Json, ListOf, MapOf, Nested, OneOf, Text } from "../../src/doors/dto/index.js";

class Leaf {
  @Text({ prompt: "Its name." }) name!: string;
}
class Cat {
  @Choice(["cat"]) kind!: "cat";
}
class Dog {
  @Choice(["dog"]) kind!: "dog";
}
class Fits extends Leaf {
  @DateTime({ nullable: true }) at!: string | null;
  @MapOf(() => Fits, { optional: true }) named?: Record<string, Fits>;
  @OneOf([Cat, () => Dog], { by: "kind" }) pet!: Cat | Dog;
  @ListOf(OneOf([Cat, Dog], { by: "kind" })) pets!: (Cat | Dog)[];
  @Json() any!: unknown;
  @Int({ optional: true }) count?: number;
  @Choice(["a", "b"], { nullable: true }) letter!: "a" | "b" | null;
  @ListOf(() => Fits) more!: Fits[];
  @Nested(Leaf) leaf!: Leaf;
}
class Wrong {
  // @ts-expect-error a point in time is text
  @DateTime() e!: Date;
  // @ts-expect-error values of another type
  @MapOf("int") f!: Record<string, string>;
  // @ts-expect-error one of them only
  @OneOf([Cat, Dog], { by: "kind" }) g!: Cat;
  // @ts-expect-error no common member
  @OneOf([Cat, Leaf], { by: "kind" }) h!: Cat | Leaf;
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
