import { ToolKind } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { toolWords, undoneWords, wantsWords } from "../../../src/strings/runs/states.ts";
import { objectAfter } from "../../../src/ui/turn/tool-object.ts";

const titles: Readonly<Record<ToolKind, readonly (readonly [string, string])[]>> = {
	read: [
		["Read file.txt", "file.txt"],
		["Reading: file.txt", "file.txt"],
		["readme.md", "readme.md"],
	],
	edit: [
		["Edit file.txt", "file.txt"],
		["edited file.txt", "file.txt"],
		["Write file.txt", "Write file.txt"],
	],
	delete: [["Delete old.md", "old.md"]],
	move: [["Move a.md to b.md", "a.md to b.md"]],
	search: [["Search for TODO", "for TODO"]],
	execute: [
		["Run npm test", "npm test"],
		["Running npm test", "npm test"],
		["run-parts /etc", "run-parts /etc"],
		["run tests", "run tests"],
	],
	think: [["Think", ""]],
	fetch: [["Fetch https://example.com", "https://example.com"]],
	switch_mode: [["Switch mode: plan", "plan"]],
	other: [["Use calculator", "calculator"]],
};

it.each(ToolKind.options.flatMap((kind) => titles[kind].map(([title, object]) => [kind, title, object] as const)))(
	"the row of a call of kind %s says the verb once: %s",
	(kind, title, object) => {
		for (const word of [toolWords[kind].now, toolWords[kind].done, wantsWords[kind]]) expect(objectAfter(word, kind, title)).toBe(object);
		expect(objectAfter(undoneWords.denied, kind, title)).toBe(title);
	},
);

it("an edit that only its agent reports is named once", () => {
	expect(objectAfter("Says it edited:", "edit", "Edit a.md")).toBe("a.md");
	expect(objectAfter("Says it moved:", "move", "Move a.md")).toBe("a.md");
});
