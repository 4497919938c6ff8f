import { outsideRead } from "../http/outside-read.js";

/** What every tool has that changes something in Linear: its policy, as far as it is the same for all. What it gives back holds texts of others. */
export const outsideWrite: Omit<typeof outsideRead, "access"> & { readonly access: "write" } = {
  ...outsideRead,
  access: "write",
};
