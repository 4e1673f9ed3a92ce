import { expect, it } from "vitest";
import { originWords } from "../../src/strings/origin-words.ts";

it("says where a message was sent, or who started a run, by the id that it gave", () => {
	expect(originWords({ kind: "operator", id: "discord" })).toBe("Sent on Discord");
	expect(originWords({ kind: "operator", id: "nightly" })).toBe("Started by a program (nightly)");
	expect(originWords({ kind: "operator", id: "constructor" })).toBe("Started by a program (constructor)");
	expect(originWords({ kind: "plan", id: "discord" })).toBe("Started by a plan (discord)");
	expect(originWords({ kind: "app", id: "discord" })).toBe("Started by another app");
});
