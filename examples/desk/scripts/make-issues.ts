// Writes data/issues.jsonl. The same every time: no clock, and numbers from a fixed seed.
import { writeFileSync } from "node:fs";

const areas: Readonly<Record<string, readonly (readonly [title: string, body: string])[]>> = {
  invoices: [
    [
      "Invoice total is off by one cent",
      "The lines add up to the right sum, but the total at the bottom differs by a cent when a discount in percent is used.",
    ],
    [
      "Invoice PDF has no tax number",
      "The tax number is filled in under Settings and shows in the preview, but not in the PDF that customers get.",
    ],
    [
      "Credit note cannot be linked to its invoice",
      "The list of invoices stays empty in the dialog, so the credit note has to be booked by hand.",
    ],
    [
      "Reminder is sent for a paid invoice",
      "The payment was booked in the morning; the reminder went out at noon all the same.",
    ],
    [
      "Invoice numbers skip after a failed draft",
      "A draft that fails to save uses up a number, and the gap has to be explained to the auditor.",
    ],
    ["Due date ignores the customer's payment terms", "The customer has 45 days, and new invoices are due after 14."],
  ],
  login: [
    [
      "Login page reloads without a message",
      "After the right password the page simply shows again. The second try works.",
    ],
    [
      "Single sign-on sends users back to the start page",
      "The link in the email led to a report; after sign-on it is forgotten.",
    ],
    ["Password reset mail arrives after an hour", "By then the link has run out, and a new one has to be asked for."],
    ["Session ends in the middle of a long form", "Everything that was typed is lost, with no warning before."],
    ["Two-factor code is refused on the first try", "The clock of the device is right. The next code is taken."],
    ["Locked account gives no hint how to unlock it", "The page only says that the password is wrong."],
  ],
  export: [
    ["CSV export breaks on names with a semicolon", "The columns move one to the right from that line on."],
    [
      "Export of a large table stops at 10,000 rows",
      "Nothing says that the file is cut. The rest is missing in the yearly figures.",
    ],
    ["Exported dates are one day early", "It happens for entries that were made late in the evening."],
    ["Excel shows long numbers in scientific notation", "Order numbers with 16 digits lose their last one."],
    ["Scheduled export runs twice", "Two files with the same content arrive within a minute."],
    ["Export link in the mail has expired", "The mail is sent when the export starts, not when it is ready."],
  ],
  search: [
    ["Search misses words with accents", "The customer is found only when the name is typed exactly as it was stored."],
    ["Search results change on every reload", "The same words, no new data, another order each time."],
    ["Filter is lost when going back to the results", "All filters have to be set again after looking at one entry."],
    ["Search takes ten seconds for two letters", "The page cannot be used meanwhile."],
    ["Deleted entries still show in search", "Opening one gives an error page."],
  ],
  notifications: [
    ["Notification mails come twice", "Both have the same time and the same text."],
    ["Digest lists entries of another team", "The titles should not be seen by everybody."],
    ["Turning notifications off does not last", "They are on again after the next sign-in."],
    ["Push notification opens the wrong entry", "It opens the one that was looked at last."],
    ["Mentions in comments are not told", "The comment shows the mention, but no mail was sent."],
  ],
  mobile: [
    ["Mobile app closes when a photo is attached", "It happens with photos above 12 megapixels."],
    ["Offline changes are lost after an update", "They were shown as waiting, and were gone after the restart."],
    ["Keyboard hides the save button", "The page cannot be scrolled while the keyboard is open."],
    ["Barcode scanner reads the same code again and again", "Ten lines are added before the camera can be moved away."],
    ["Dark mode shows black text on dark gray", "The totals at the bottom cannot be read."],
  ],
  import: [
    [
      "Import stops at the first bad line",
      "One wrong date, and none of the 800 lines is taken. The message does not name the line.",
    ],
    ["Imported customers are doubled", "Customers with the same number are made new, not brought up to date."],
    ["Column names with spaces are not recognized", "They have to be mapped by hand every time."],
    ["Import shows 100 percent and never ends", "The data is there, but the page does not say so."],
    ["Umlauts are broken after an import", "The file is UTF-8. Saved with a byte order mark it works."],
  ],
  permissions: [
    ["Read-only users can delete comments", "The button is shown, and it works."],
    ["New role is not offered in the invitation", "It shows up after about a day."],
    ["Shared report opens for everybody with the link", "The report was shared with one team only."],
    ["Owner of a project cannot be changed", "Saving gives no error, and the old owner stays."],
  ],
  reports: [
    ["Monthly report counts refunds twice", "The refund is in the sum of its own month and in that of the sale."],
    ["Chart starts its scale at a random value", "Small changes look like a collapse."],
    ["Report for a past month changes afterwards", "The figures that were sent out last week can no longer be made."],
    ["Time zone of a report cannot be chosen", "Shops in two time zones get one day wrongly cut."],
  ],
  api: [
    ["API answers 500 for an unknown currency", "A 400 with the name of the field would help."],
    ["Webhook is not sent again after a timeout", "One slow answer, and the event is lost for good."],
    ["Page token of the API runs out during a long sync", "The sync has to start over, and is too slow to ever end."],
    ["Rate limit is not told in the headers", "Clients can only guess how long to wait."],
    ["API key with read rights may create drafts", "Drafts should count as writing."],
  ],
  performance: [
    ["Dashboard takes 20 seconds on Monday mornings", "Later in the day it takes two."],
    ["Opening an entry with many comments freezes the browser", "About 300 comments are enough."],
    ["Bulk edit of 500 entries times out", "About half of them are changed, and nothing says which."],
  ],
};

const settings = [
  "Seen in Firefox on Windows.",
  "Seen in Chrome on macOS.",
  "Seen in Safari on an iPad.",
  "Seen in Edge on Windows.",
  "Happens in the free plan only.",
  "Happens in the team plan.",
  "Happens in the business plan.",
  "Started with the last release.",
  "It was right two releases ago.",
  "Only the European data center is affected.",
  "Three customers wrote about it this week.",
  "The customer sent a screen recording.",
  "Could be seen on the test system too.",
  "Cannot be made to happen on purpose.",
];
const endings = [
  "Workaround: log out and in again.",
  "Workaround: do it in two smaller steps.",
  "There is no workaround.",
  "The customer asks for a date.",
  "Support answers this by hand for now.",
  "It blocks a renewal.",
  "It is annoying, not urgent.",
  "The logs show nothing unusual.",
];
const variants = [
  "",
  " (again)",
  " for large accounts",
  " in the new layout",
  " after the update",
  " on slow connections",
];

let seed = 20261130;
const random = (below: number): number => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
};
const pick = (list: readonly string[]): string => list[random(list.length)];

const drafts = Object.entries(areas).flatMap(([area, problems]) =>
  problems.flatMap(([title, body]) => variants.map((variant) => ({ area, title: `${title}${variant}`, body }))),
);
for (let i = drafts.length - 1; i > 0; i--) {
  const j = random(i + 1);
  [drafts[i], drafts[j]] = [drafts[j], drafts[i]];
}
const first = Date.UTC(2025, 9, 1);
const lines = drafts.slice(0, 300).map(({ area, title, body }, i) => {
  const age = 1 - i / 300;
  const kind = pick(["bug", "bug", "bug", "question", "request"]);
  return JSON.stringify({
    id: 1001 + i,
    title,
    status: random(100) < 25 + age * 60 ? "closed" : "open",
    labels: [area, kind, ...(random(8) === 0 ? ["urgent"] : [])],
    opened: new Date(first + Math.floor(((i + random(3) / 3) * 420 * 86_400_000) / 300)).toISOString().slice(0, 10),
    body: `${body} ${pick(settings)} ${pick(endings)}`,
  });
});
writeFileSync(new URL("../data/issues.jsonl", import.meta.url), `${lines.join("\n")}\n`);
