/** Models: the embedded one, and the declaration that a model costs nothing. */
export { free } from "../../llm/free.js";
export type { LanguageModel, ModelRef } from "../../llm/model.js";
export { offlineModel } from "../../llm/offline-model.js";
