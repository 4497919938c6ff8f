/** One tool in the interface form, in both styles of members. */
import {
  Assert,
  decorator,
  inject,
  type AssertType,
  type ITool,
  type OnAfterCall,
  type OnBeforeCall,
} from "../../src/doors/itool/index.js";
import { token, type ToolContext } from "../../src/doors/tenon/index.js";

export interface Stations {
  reading(city: string, units: string): string;
}
export const STATIONS = token<Stations>("STATIONS");
export const stations: Stations = { reading: (city, units) => `${city}: 20 (${units})` };

export interface Caller {
  readonly user?: string | undefined;
  readonly log: string[];
}
export type WeatherInput = { city: string; units?: "metric" | "imperial" };

@decorator.tool()
export class ArrowWeather implements ITool<WeatherInput, Promise<string>> {
  public constructor(@inject(STATIONS) private readonly source: Stations) {}
  public getName = (): string => "get_weather";
  public getDescription = (): string => "Tells the weather of a city.";
  public getInputSchema = (): AssertType => Assert({ city: "string > 0", "units?": "'metric' | 'imperial'" });
  public handler = async (param: WeatherInput): Promise<string> =>
    this.source.reading(param.city, param.units ?? "metric");
}

@decorator.tool({ deps: [STATIONS] })
export class MethodWeather implements ITool<WeatherInput, string, Caller> {
  static made = 0;
  readonly #source: Stations;
  constructor(source: Stations) {
    MethodWeather.made++;
    this.#source = source;
  }
  getName(): string {
    return `${this.verb()}_weather`;
  }
  getDescription(): string {
    return "Tells the weather of a city.";
  }
  getInputSchema(): AssertType {
    return Assert({ city: "string > 0", "units?": "'metric' | 'imperial'" });
  }
  handler({ city, units }: WeatherInput, ctx: ToolContext<Caller>): string {
    return `${this.#source.reading(city, units ?? "metric")} for ${ctx.executionContext.user}`;
  }
  private verb(): string {
    return "look_up";
  }
}

/** Takes no arguments, and has hooks of its own that use `this`. */
@decorator.tool({ access: "write" })
export class Reset implements ITool<Record<string, never>, string, Caller> {
  readonly #word = "reset";
  getName = (): string => "reset";
  getDescription = (): string => "Resets everything.";
  handler = (_param: Record<string, never>, ctx: ToolContext<Caller>): string => {
    ctx.executionContext.log.push(`ran ${this.#word}`);
    return this.#word;
  };
  onBeforeCall: OnBeforeCall<Caller> = (ctx, hookCtx) => {
    ctx.context.log.push(`before ${this.#word} ${JSON.stringify(hookCtx.input)}`);
    return ctx.context.user === undefined ? { action: "deny", reason: "Who are you?" } : { action: "allow" };
  };
  onAfterCall: OnAfterCall<Caller> = (ctx, info) => {
    ctx.context.log.push(`after ${this.#word} ${info.ok ? String(info.result) : info.error}`);
  };
}
