import { expect, it } from "vitest";
import { troubleWords } from "../../../src/process/bridge/bridge-trouble.ts";

it("a start that failed is told in whole sentences", () => {
	const trouble = { what: "start_failed", own: true, attempt: 3 } as const;
	const gone = { ...trouble, message: "the bridge is not started: /home/a is gone" };
	expect(troubleWords(gone, 2_000)).toBe("The bridge is not started: /home/a is gone. Trying again in 2 s (attempt 3).");
	expect(troubleWords({ ...trouble, message: "The port is taken." }, 0)).toBe("The port is taken. Trying again (attempt 3).");
	expect(troubleWords(trouble, 0)).toBe("The bridge did not start. Trying again (attempt 3).");
});

it("a restart that was asked for is not told as an unexpected end", () => {
	expect(troubleWords({ what: "restarting", own: true }, 0)).toBe("The bridge is being restarted, as requested.");
});

it("the end of a bridge that the user started is not called unexpected", () => {
	const ended = { what: "ended", own: true, attempt: 1, startedByUser: true } as const;
	expect(troubleWords(ended, 0)).toMatch(/^The bridge that was started separately has ended\. Starting one\. Runs in progress /);
	expect(troubleWords(ended, 2_000)).toMatch(/^The bridge that was started separately has ended\. Starting one in 2 s\. /);
});
