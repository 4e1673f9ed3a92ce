const IMPORTS = `import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool, ToolFailed } from "@xworkmate/tool";
import { z } from "zod";
`;

/** Sends mails, and reads and says what others wrote. What it sends is a line of `sent.jsonl` in its data folder. */
export const mailSource = `${IMPORTS}
const text = z.strictObject({ text: z.string() });
export const send = defineTool({
	id: "mail.messages.send", risk: "destructive",
	input: z.strictObject({ to: z.string(), body: z.string() }), output: z.strictObject({ sent: z.boolean() }),
	describe: ({ to }) => \`Send to \${to}\`,
	handler: async (mail, ctx) => {
		appendFileSync(join(ctx.dataFolder, "sent.jsonl"), JSON.stringify({ ...mail, runId: ctx.runId }) + "\\n");
		return { sent: true };
	},
});
export const account = defineTool({
	id: "mail.account.show", risk: "read", secrets: ["mail.password"],
	input: z.strictObject({ fails: z.boolean().optional() }), output: z.strictObject({ password: z.string() }),
	handler: async ({ fails }, ctx) => {
		const password = await ctx.secret("mail.password");
		if (fails === true) throw new Error("the server refused the password " + password);
		return { password };
	},
});
export const inbox = defineTool({
	id: "mail.inbox.read", risk: "read",
	input: z.strictObject({ name: z.string(), fails: z.boolean().optional() }), output: text,
	handler: async ({ name, fails }, ctx) => {
		const found = readFileSync(join(ctx.dataFolder, name), "utf8");
		if (fails === true) throw new ToolFailed(found);
		return { text: found };
	},
});
export const folder = defineTool({
	id: "mail.folder.list", risk: "read",
	input: z.strictObject({}), output: text,
	handler: async (_input, ctx) => ({ text: readdirSync(ctx.dataFolder).join("\\n") }),
});
export const look = defineTool({
	id: "mail.thing.look", risk: "read", keyRead: true,
	input: z.strictObject({ about: z.string() }), output: text,
	describe: ({ about }) => about,
	handler: async () => ({ text: "seen" }),
});
`;

export const webSource = `${IMPORTS}
export const read = defineTool({
	id: "web.pages.read", risk: "read",
	input: z.strictObject({ url: z.string() }), output: z.strictObject({ text: z.string() }),
	handler: async ({ url }) => ({ text: await (await fetch(url)).text() }),
});
`;

/** A tool for each text, whose declaration has it. */
export function poisonedSource(texts: readonly string[]): string {
	const tools = texts.map(
		(text, index) =>
			`export const p${index} = defineTool({ id: "poisoned.thing.p${index}", risk: "read", input: z.strictObject({}), output: z.literal(${JSON.stringify(text)}), handler: async () => ${JSON.stringify(text)} as const });`,
	);
	return [IMPORTS, ...tools, ""].join("\n");
}
