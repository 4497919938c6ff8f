/** The interface form of a tool, and chat classes. Needs the package `arktype`, for `Assert`. */
export { Chat, type ChatRequest } from "../../app/chat.js";
export { createChat, type ChatOptions } from "../../app/create-chat.js";
export type { IChat } from "../../app/ichat.js";
export { inject } from "../../container/inject.js";
export { InvalidAnswerError, RunIncompleteError } from "../../errors/chat-errors.js";
export { Assert } from "../../schema/assert.js";
export type {
  AfterCall,
  BeforeCall,
  BeforeCallDecision,
  HookContext as ChatMiddlewareContext,
  HookContext,
  OnAfterCall,
  OnBeforeCall,
} from "../../tools/call-hook.js";
export { decorator } from "../../tools/decorator.js";
export type { FitsITool, AssertType, IToolClass, ITool } from "../../tools/itool.js";
export type { IToolOptions } from "../../tools/itool-metadata.js";
export type { ToolEntry as AiToolClassType } from "../../tools/tool-entry.js";
