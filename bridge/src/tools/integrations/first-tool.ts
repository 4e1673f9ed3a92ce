import type { IntegrationId } from "@xworkmate/contracts";

/** The first tools of a new integration: they work, and show a read and a write. */
export function firstTool(integration: IntegrationId): string {
	return `import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { defineTool } from "@xworkmate/tool";
import { z } from "zod";

// Programs call this tool as tools.${integration}.listNotes({}). A read needs no approval.
export const listNotes = defineTool({
	id: "${integration}.note.list",
	risk: "read",
	input: z.strictObject({}),
	output: z.object({ notes: z.array(z.string()) }),
	handler: async (_input, { dataFolder }) => {
		const text = await readFile(join(dataFolder, "notes.txt"), "utf8").catch(() => "");
		return { notes: text.split("\\n").filter((line) => line !== "") };
	},
});

// A write needs your approval. The request shows what \`describe\` returns. Throw ToolFailed with a message for the user if
// nothing was written, and OutcomeUnknown if you can't tell whether it was.
export const addNote = defineTool({
	id: "${integration}.note.add",
	risk: "write",
	input: z.strictObject({ text: z.string().min(1).max(500).regex(/^[^\\n]*$/) }),
	output: z.object({ added: z.string() }),
	describe: ({ text }) => \`Add the note "\${text}"\`,
	handler: async ({ text }, { dataFolder }) => {
		await appendFile(join(dataFolder, "notes.txt"), \`\${text}\\n\`);
		return { added: text };
	},
});
`;
}
