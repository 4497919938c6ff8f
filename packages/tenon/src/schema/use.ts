/** Whether a schema checks what a model sends, what a handler returned, or what a person answers. */
export type Use = "input" | "output" | "answer";
