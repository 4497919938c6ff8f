/** What the compiler accepts and refuses of the interface form with TC39 decorators. Checked by `npm run typecheck`; never run. */
import { Agent, token, type ToolContext } from "tenon";
import { Assert, decorator, type AssertType, type ITool } from "tenon/itool";
import { z } from "zod";

const CLIENT = token<{ current(city: string): string }>("CLIENT");
type WeatherInput = { city: string; units?: "metric" | "imperial" };

@decorator.tool({ deps: [CLIENT] })
class WeatherTool implements ITool<WeatherInput, Promise<string>, { user: string }> {
  constructor(private readonly client: { current(city: string): string }) {}
  getName = (): string => "get_weather";
  getDescription = (): string => "d";
  getInputSchema = (): AssertType => Assert({ city: "string > 0", "units?": "'metric' | 'imperial'" });
  handler = async ({ city }: WeatherInput, ctx: ToolContext<{ user: string }>): Promise<string> =>
    this.client.current(city) + ctx.executionContext.user;
}
@Agent({ name: "a", description: "d", tools: [WeatherTool] })
class Main {}
// @ts-expect-error nothing in deps, and a parameter
@decorator.tool({ deps: [] })
class NoDeps implements ITool {
  constructor(readonly client: { current(city: string): string }) {}
  getName = (): string => "m";
  getDescription = (): string => "d";
  handler = (): string => this.client.current("x");
}
// @ts-expect-error the schema gives another type than handler takes
@decorator.tool()
class Unfit implements ITool<{ n: string }> {
  getName = (): string => "m";
  getDescription = (): string => "d";
  getInputSchema = () => z.object({ n: z.number() });
  handler = ({ n }: { n: string }): string => n;
}

void [Main, NoDeps, Unfit];
