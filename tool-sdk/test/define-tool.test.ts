import { expect, it } from "vitest";
import { z } from "zod";
import { defineTool, isToolDefinition, OutcomeUnknown, ToolFailed } from "../src/index.ts";

const tool = defineTool({
	id: "notes.note.add",
	risk: "write",
	input: z.strictObject({ text: z.string() }),
	output: z.object({ id: z.string() }),
	describe: ({ text }) => `Add ${text.toUpperCase()}`,
	handler: async ({ text }, { idempotencyKey }) => ({ id: `${idempotencyKey}-${text}` }),
});

it("[T1-58] a definition keeps what the author wrote, typed by its schemas, and can't be changed later", () => {
	expect(tool.describe?.({ text: "a" })).toBe("Add A");
	expect(Object.isFrozen(tool)).toBe(true);
	expect(Object.keys(tool)).toEqual(["id", "risk", "input", "output", "describe", "handler"]);
});

it("only what defineTool returned is a definition", () => {
	expect(isToolDefinition(tool)).toBe(true);
	for (const other of [{ ...tool }, undefined, null, "tool", () => tool]) expect(isToolDefinition(other)).toBe(false);
});

it("the errors of a handler are told apart by their class", () => {
	expect(new ToolFailed("no")).not.toBeInstanceOf(OutcomeUnknown);
	expect([new ToolFailed("no").name, new OutcomeUnknown("?").name]).toEqual(["ToolFailed", "OutcomeUnknown"]);
});
