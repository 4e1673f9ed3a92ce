import { afterEach, expect, it } from "vitest";
import { forgetPress, pressedIds } from "../../../src/ui/composer/pressed-ids.ts";

afterEach(() => sessionStorage.clear());

it("gives the same ids, and nothing else, for the same message in the same place until it was sent", async () => {
	const message = { prompt: "write a report" };
	const first = await pressedIds("new", message);
	expect(Object.keys(first).sort()).toEqual(["begins", "turnId"]);
	expect(await pressedIds("new", message)).toEqual(first);
	expect(await pressedIds("another", message)).not.toEqual(first);
	expect(await pressedIds("new", { prompt: "something else" })).not.toEqual(first);
	const again = await pressedIds("new", message);
	forgetPress("new");
	expect(await pressedIds("new", message)).not.toEqual(again);
});

it.each(["", "null", '"x"', "{}", '{"digest":"x","ids":{"turnId":1,"begins":2}}', "not JSON"])(
	"is not misled by what else is stored: %s",
	async (stored) => {
		sessionStorage.setItem("xworkmate.pressed.new", stored);
		expect((await pressedIds("new", "message")).turnId).toMatch(/^turn-/);
	},
);
