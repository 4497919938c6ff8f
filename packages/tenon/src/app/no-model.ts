import { AppClosedError } from "../errors/run-errors.js";
import type { Model } from "../llm/model.js";

/** Stands for a model that is not called. */
export const noModel: Model = {
  id: "none",
  provider: "none",
  prices: undefined,
  free: true,
  reportsCost: true,
  noThinking: undefined,
  call: (_request, _onDelta, end) => end.failed(new AppClosedError()),
  generate: () => Promise.reject(new AppClosedError()),
  stream: () => Promise.reject(new AppClosedError()),
};
