import { Timestamp } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { stoppedTitle } from "../../../src/text/runs/stopped-title.ts";

const at = (second: number) => Timestamp.parse(new Date(Date.UTC(2026, 10, 29, 12, 0) + second * 1000).toISOString());

it("says of a run that worked on after its time limit when it was asked to stop, and by when it had ended", () => {
	const limited = { stoppedAfterMs: 3_000, cancelRequestedAt: at(3) };
	expect(stoppedTitle({ ...limited, endedAt: at(13.2) })).toBe("Asked to stop after 3 s (--timeout), ended at most 11 s later");
	expect(stoppedTitle({ ...limited, endedAt: at(3.4) })).toBe("Stopped after 3 s (--timeout)");
	expect(stoppedTitle(limited)).toBe("Stopped after 3 s (--timeout)");
});

it("names the time limit only if it asked for the stop", () => {
	expect(stoppedTitle({ cancelRequestedAt: at(3), endedAt: at(13) })).toBe("Stopped by you");
});
