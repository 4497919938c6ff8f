import { token } from "tenon";
import { Int, Text } from "tenon/dto";

// What the tools of the type tests take, give and depend on.
export class Database {
  private readonly name = "db";
  find(words: string): string[] {
    return [words + this.name];
  }
}
export class Post {
  private readonly name = "post";
  send(to: string): void {
    void [to, this.name];
  }
}
export interface Search {
  get(words: string): Promise<string>;
}
export const SEARCH = token<Search>("SEARCH");
export const SETTINGS = token<{ size: number }>("SETTINGS");
export class Ask {
  @Text({ prompt: "words", min: 1 }) words!: string;
  @Int({ optional: true, max: 5 }) limit?: number;
}
export class Told {
  @Text() text!: string;
}
