import type { ProviderCapability } from "@xworkmate/contracts";
import { words } from "../../strings/interface.ts";
import { localDate } from "../text/local-date.ts";

export const FIRST_FILE = "welcome.md";

/**
 * The program of the first run. It writes the text that it is given, and does not pretend to be a model. `now` is the time by this
 * computer's clock, because the date in UTC may be different.
 */
export function firstProgram(providers: readonly Pick<ProviderCapability, "label" | "available">[], now: Date): string {
	const agents = providers.map(({ label, available }) => ({ label: label.replace(/[`\p{Cc}]/gu, ""), ready: available }));
	return `const agents = ${JSON.stringify(agents, undefined, "\t")};
const today = "${localDate(now)}";

console.log("Listing the agents ...");
await tools.time.wait({ ms: 400 });
const lines = agents.map(({ label, ready }) => "| " + label + " | " + (ready ? "ready" : "not ready") + " |");
const text = [
	"# Welcome to XWorkmate",
	"",
	"Written on " + today + " by a program, not by a model.",
	"",
	"| agent | state |",
	"|---|---|",
	...lines,
	"",
	"This file is required: the run succeeds only if the file exists and its SHA-256 hash matches the recorded one.",
	"",
].join("\\n");

console.log("Writing the report ...");
await tools.time.wait({ ms: 400 });
const written = await tools.files.write({ path: "${FIRST_FILE}", text });
if (!written.ok) throw new Error(written.error.message);
return "Wrote " + written.value.path + ", " + written.value.sizeBytes + " bytes.";`;
}

export function firstPrompt(program: string): string {
	return `${words.first.task}\n\n\`\`\`ts\n${program}\n\`\`\`\n`;
}
