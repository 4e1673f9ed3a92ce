import { judgedKind, type ToolKind } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { namedCall } from "../../../src/text/calls/asked-view.ts";

const kinds = [
	"read",
	"edit",
	"delete",
	"move",
	"search",
	"execute",
	"think",
	"fetch",
	"switch_mode",
	"other",
] as const satisfies ToolKind[];

it("the page, the command and receipts take the same kind from a command that may change something", () => {
	const input = { text: JSON.stringify({ command: "rm -rf build" }), truncated: false };
	const shown = kinds.map((toolKind) => namedCall({ title: "Look", toolKind, input }).toolKind);
	expect(shown).toEqual(kinds.map((toolKind) => judgedKind(toolKind, input)));
	expect(shown.filter((kind) => kind === "execute")).toHaveLength(6);
});

it("a call without a command keeps its kind", () => {
	for (const toolKind of kinds) expect(namedCall({ title: "Look", toolKind, input: undefined }).toolKind).toBe(toolKind);
});
