import type { TurnItem } from "../turn/turn-view.ts";

/** The pieces of text that a step or thought of a turn shows once it is opened, including the name in its row. */
export function itemTexts(item: TurnItem): readonly string[] {
	switch (item.kind) {
		case "message":
		case "thought":
			return [item.text];
		// Shown beside the rows, and not searched.
		case "notice":
		case "approval":
			return [];
		case "tool": {
			const { title, toolId, locations = [], input, says, output, diff = [] } = item.call;
			const changed = diff.flatMap(({ oldText = "", newText }) => [oldText, newText]);
			const texts = [toolId, title, ...locations.map(({ path }) => path), input?.text, says?.text, output?.text, ...changed];
			return texts.filter((text) => text !== undefined);
		}
	}
}
