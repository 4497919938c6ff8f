import { Tool, type ToolContext, type ToolHandler } from "tenon";
import { Text } from "tenon/dto";
import { NotesFolder } from "../records/notes-folder.js";

export class NewNote {
  @Text({ min: 1, max: 120, pattern: /^[^\r\n]*[^\s][^\r\n]*$/u, prompt: "What the note is about, in one line" })
  title!: string;

  @Text({ min: 1, max: 10_000, prompt: "The note itself, Markdown" })
  text!: string;
}

export class SavedNote {
  @Text() saved!: string;
}

@Tool({
  name: "note_save",
  description: "Save a note for the support team.",
  access: "write",
  approval: true,
  input: NewNote,
  output: SavedNote,
  deps: [NotesFolder],
})
export class NoteSave implements ToolHandler<NewNote, SavedNote> {
  constructor(private readonly notes: NotesFolder) {}

  async run({ title, text }: NewNote, ctx: ToolContext): Promise<SavedNote> {
    return { saved: await this.notes.save(title, text, ctx.callId) };
  }
}
