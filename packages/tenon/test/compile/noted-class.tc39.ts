/** What `noteField` was called with. */
export const seen: { readonly value: unknown; readonly kind: string; readonly name: string | symbol }[] = [];

function noteField(value: undefined, context: ClassFieldDecoratorContext): void {
  seen.push({ value, kind: context.kind, name: context.name });
}

export class Noted {
  @noteField text = "in an imported file";
}
