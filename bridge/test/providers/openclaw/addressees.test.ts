import { expect, it } from "vitest";
import { addressees } from "../../../src/providers/openclaw/turn/addressees.ts";

const turns = new Map(Array.from({ length: 1_000 }, (_, index) => [`run-${index}`, index]));
const of = (name: string, payload: unknown) => [...addressees(name, payload, turns)];

it("passes an event to the one run that it is about, however many there are", () => {
	const about = { runId: "run-7", sessionKey: "s" };
	for (const name of ["agent", "chat", "plugin.xworkmate.run", "unknown"]) expect(of(name, about), name).toEqual([7]);
	expect(of("agent", { runId: "another", sessionKey: "s" })).toEqual([]);
	for (const payload of [undefined, null, "run-7", {}, { runId: 7 }]) expect(of("tick", payload)).toEqual([]);
});

it.each([
	"exec.approval.requested",
	"plugin.approval.requested",
	"exec.approval.resolved",
	"plugin.approval.resolved",
	"plugin.xworkmate.approval",
])("offers %s to every run, because it does not name one as other events do", (name) => {
	expect(of(name, { id: "a" })).toHaveLength(turns.size);
});
