import type { Dep } from "../container/keys.js";
import type { Schema } from "../schema/schema.js";
import { ITOOL, type IToolOptions } from "./itool-metadata.js";
import type { FitsITool, ITool } from "./itool.js";

/** The decorators of the interface form. */
export const decorator = {
  /**
   * Makes a class that implements `ITool` a tool. Works as a legacy and as a TC39 decorator and changes nothing in the class:
   * `new X(fake)` is an ordinary object. The compiler checks the schema against `handler` where `getInputSchema` does not hide
   * its type, and `deps` against the constructor. Everything else that is wrong is found when an app is assembled.
   */
  tool<const D extends readonly Dep[] | undefined = undefined, O extends Schema | undefined = undefined>(
    options: IToolOptions<D, O> = {},
  ): <C extends new (...args: any[]) => ITool>(
    target: C & NoInfer<FitsITool<C, O, D>>,
    context?: ClassDecoratorContext<C>,
  ) => void {
    return (target) => {
      Object.defineProperty(target, ITOOL, { value: options, configurable: true });
    };
  },
};
