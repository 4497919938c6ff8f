import { Tool, type ToolHandler } from "tenon";
import { Int, ListOf, Text } from "tenon/dto";
import { NotesFolder } from "../records/notes-folder.js";

export class NoteQuery {
  @Text({ min: 1, max: 200, prompt: "Words that the notes should hold" })
  query!: string;

  @Int({ min: 1, max: 20, default: 5, prompt: "The most notes to give" })
  limit!: number;
}

export class NoteHit {
  @Text() title!: string;
  @Text() file!: string;
  @Text() excerpt!: string;
}

export class NoteHits {
  @ListOf(NoteHit) notes!: NoteHit[];
}

@Tool({
  name: "note_search",
  description: "Search the support team's notes.",
  input: NoteQuery,
  output: NoteHits,
  deps: [NotesFolder],
})
export class NoteSearch implements ToolHandler<NoteQuery, NoteHits> {
  constructor(private readonly notes: NotesFolder) {}

  async run({ query, limit }: NoteQuery): Promise<NoteHits> {
    return { notes: await this.notes.search(query, limit) };
  }
}
