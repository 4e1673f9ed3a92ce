import { afterEach, expect, it } from "vitest";
import { forgetPress, pressedIds } from "../../../src/ui/composer/pressed-ids.ts";

afterEach(() => sessionStorage.clear());

it("gives the same ids, and nothing else, for the same message in the same place until it was sent", () => {
	const message = { prompt: "write a report" };
	const first = pressedIds("new", message);
	expect(Object.keys(first).sort()).toEqual(["begins", "turnId"]);
	expect(pressedIds("new", message)).toEqual(first);
	expect(pressedIds("another", message)).not.toEqual(first);
	expect(pressedIds("new", { prompt: "something else" })).not.toEqual(first);
	const again = pressedIds("new", message);
	forgetPress("new");
	expect(pressedIds("new", message)).not.toEqual(again);
});

it.each(["", "null", '"x"', "{}", '{"text":"x","ids":{"turnId":1,"begins":2}}', "not JSON"])(
	"is not misled by what else is stored: %s",
	(stored) => {
		sessionStorage.setItem(`xworkmate.pressed.with ${stored}`, stored);
		expect(pressedIds(`with ${stored}`, { prompt: "message" }).turnId).toMatch(/^turn-/);
	},
);

it("finds the ids of a press from before a reload", () => {
	const ids = { turnId: "turn-before", begins: "draft:before" };
	sessionStorage.setItem("xworkmate.pressed.reloaded", JSON.stringify({ text: '{"prompt":"again"}', ids }));
	expect(pressedIds("reloaded", { prompt: "again" })).toEqual(ids);
});
