import type { ProviderCapability } from "@xworkmate/contracts";
import { words } from "../../strings/interface.ts";

export const FIRST_FILE = "welcome.md";

/** The program of the first run. It writes the text that it is given, and does not pretend to be a model. */
export function firstProgram(providers: readonly Pick<ProviderCapability, "label" | "available">[]): string {
	const agents = providers.map(({ label, available }) => ({ label: label.replace(/[`\p{Cc}]/gu, ""), ready: available }));
	return `const agents = ${JSON.stringify(agents, undefined, "\t")};
const today = new Date().toISOString().slice(0, 10);

console.log("Looking at what this computer can run ...");
await tools.time.wait({ ms: 400 });
const lines = agents.map(({ label, ready }) => "| " + label + " | " + (ready ? "ready" : "not yet") + " |");
const text = [
	"# Welcome to XWorkmate",
	"",
	"Written on " + today + " by a program on this computer, not by a model.",
	"",
	"| agent | here |",
	"|---|---|",
	...lines,
	"",
	"This file was required: the run counts as done only because it is there and its SHA-256 is the one that was recorded.",
	"",
].join("\\n");

console.log("Writing the report ...");
await tools.time.wait({ ms: 400 });
const written = await tools.files.write({ path: "${FIRST_FILE}", text });
if (!written.ok) throw new Error(written.error.message);
return written.value.path + " is written, " + written.value.sizeBytes + " bytes.";`;
}

export function firstPrompt(program: string): string {
	return `${words.first.task}\n\n\`\`\`ts\n${program}\n\`\`\`\n`;
}
