import { CURRENT_TASK_WORKSPACE, openArtifactContract } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { composePrompt } from "../../../src/runs/domain/composed-prompt.ts";

const directory = "/work/tasks/s/r";
const input = { prompt: "write the report", artifactContract: openArtifactContract, attachments: [], fresh: true };
const context = `TaskThread workspace context\ncurrent task workspace: ${CURRENT_TASK_WORKSPACE}\n`;

describe("what a runtime that reads prose is given", () => {
	it.each([
		["with a client's context", { ...input, workspaceContext: context }],
		["without one", input],
	])("%s: the prompt last, and once where final files belong and what does not count", (_, given) => {
		const composed = composePrompt(given, directory, undefined);
		expect(composed.endsWith("\n\nwrite the report")).toBe(true);
		for (const rule of [`belong in this directory, which exists and is empty:\n${directory}\n`, "count as delivered", "Keep drafts"]) {
			expect(composed.split(rule)).toHaveLength(2);
		}
	});

	it("the context's name of the directory is its path", () => {
		const composed = composePrompt({ ...input, workspaceContext: context }, directory, undefined);
		expect(composed).toContain(`current task workspace: ${directory}\n`);
		expect(composed).not.toContain(CURRENT_TASK_WORKSPACE);
	});

	it("the directory is named as it is, whatever characters its path contains", () => {
		const odd = "/work/a$$b/$&/$`/$'";
		expect(composePrompt({ ...input, workspaceContext: context }, odd, undefined)).toContain(`current task workspace: ${odd}\n`);
	});
});
