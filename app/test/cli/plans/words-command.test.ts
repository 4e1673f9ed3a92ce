import { PassThrough } from "node:stream";
import { methods } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import { runAgainst } from "../../support/command-scene.ts";

afterEach(() => {
	vi.restoreAllMocks();
});

const draft = {
	...{ title: "Call mom", instructions: "", work: [], delivery: [{ channel: "email", recipient: "me", content: "Call mom" }] },
	...{ type: "scheduled", timezone: "UTC", scheduledFor: "2099-11-23T10:06:00.000Z", scheduleWords: "once, at 10:06" },
	said: { time: "at 10:06", channels: ["email"] },
};
const extracted = methods["xworkmate.plans.extract"].result.parse({ shouldCreateTask: true, task: draft, problems: [] });

it.each([
	["a no", "n\n"],
	["the end of the input", undefined],
])("plans create makes no plan of a sentence after %s, and is cancelled", async (_, typed) => {
	const input = new PassThrough();
	vi.spyOn(process, "stdin", "get").mockReturnValue(input as never);
	vi.spyOn(process, "stderr", "get").mockReturnValue(new PassThrough() as never);
	if (typed === undefined) input.end();
	else input.write(typed);
	const createPlan = vi.fn();
	const ran = await runAgainst({ extractPlan: async () => extracted, createPlan }, ["plans", "create", "Call mom at 10:06"], {
		answer: "y",
	});
	expect(ran).toMatchObject({ code: 5, error: undefined });
	expect(ran.lines.at(-1)).toBe("No plan was created.");
	expect(createPlan).not.toHaveBeenCalled();
	expect((await runAgainst({}, ["plans", "create", "--help"])).said).toContain("5 not confirmed");
});
