import { limits, RunId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { Turn } from "../../../src/threads/domain/thread.ts";
import { formatDay, formatTime } from "../../../src/ui/text/format.ts";
import { deriveOutcome } from "../../../src/ui/turn/outcome.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { at, ended, foldUpdates, stage } from "../stories.ts";

describe("the card of a run whose outcome its bridge does not tell", () => {
	const lostAt = at(600);
	const card = (code: string, message: string, more: Partial<Parameters<typeof deriveOutcome>[0]> = {}, stopped: Partial<Turn> = {}) => {
		const { endedAt: _, ...turn } = ended({}, undefined).turn;
		const unresolved = { status: "unresolved", unresolvedSince: lostAt, resultDetail: { code, message } } as const;
		const view = foldUpdates(emptyTurn, [stage(1, "working")]);
		const detail = { ...ended({}, undefined), turn: { ...turn, ...unresolved, ...stopped } };
		return deriveOutcome({ detail, view, provider: "Lively", now: Date.parse(lostAt), ...more });
	};
	const until = formatDay(new Date(Date.parse(lostAt) + limits.unresolvedKeepMs).toISOString());

	it.each([
		["ACP_HTTP_CONNECT_FAILED", "The bridge can't be reached (ENETUNREACH)."],
		["ACP_HTTP_CONNECTION_CLOSED", "The connection to the bridge was closed."],
		["UNAUTHENTICATED", "The token is wrong.", "the bridge rejected the token"],
		["INTERNAL", "The bridge failed."],
	])("says first that it is unknown, and then why the app could not ask: %s", (code, message, why = "lost contact with the bridge") => {
		const outcome = card(code, message);
		expect(outcome).toMatchObject({
			tone: "unk",
			title: `Outcome unknown: ${why}`,
			say: `${message} XWorkmate can’t tell whether the run finished. Nothing was resent automatically. The app will keep asking the bridge until ${until}.`,
			known: { known: [`Accepted ${formatTime(at(1))}`, expect.any(String)], unknown: ["Whether the run finished"] },
			code,
		});
		expect(outcome?.actions).not.toContain("retry");
	});

	const run = { runId: RunId.parse("run-1") };

	it("says that a bridge does not have the run, and no longer that it was not reached", () => {
		expect(card("NOT_FOUND", "There is no run run-1.", {}, run)).toMatchObject({
			tone: "unk",
			title: "Outcome unknown: the bridge doesn’t have this run",
			say: `This may be a different bridge, or its data may have been replaced. Nothing was resent automatically. The app will keep asking the bridge until ${until}.`,
		});
	});

	it("says of a message without a run that it may never have arrived", () => {
		expect(card("NOT_FOUND", "There is no run.")).toMatchObject({
			title: "Outcome unknown: the bridge doesn’t know this message",
			say: `It may never have arrived, or this is another bridge, or its data was replaced. Nothing was resent automatically. The app will keep asking the bridge until ${until}.`,
		});
	});

	it("promises no more questions after the last one", () => {
		const later = { now: Date.parse(lostAt) + limits.unresolvedKeepMs };
		expect(card("ACP_HTTP_CONNECT_FAILED", "x.", later)?.say).toBe(
			"x. XWorkmate can’t tell whether the run finished. Nothing was resent automatically. The app has stopped asking the bridge.",
		);
	});

	it("says that a stop is still to be passed on, for as long as the app asks about the run", () => {
		const stopped = { cancelRequestedAt: at(300) as Turn["createdAt"] };
		const knownOf = (now: number) => card("ACP_HTTP_CONNECT_FAILED", "x.", { now }, stopped)?.known?.known.at(-1);
		const time = formatTime(at(300));
		const waits = `Stop requested ${time}. The request will be passed on when the run’s bridge responds.`;
		expect(knownOf(Date.parse(lostAt))).toBe(waits);
		expect(knownOf(Date.parse(lostAt) + limits.unresolvedKeepMs)).toBe(`Stop requested ${time}, but never confirmed`);
	});

	it("says of a message that was never sent that the bridge was not reached, and names no address, which may be another one now", () => {
		const refused = { status: "refused", resultDetail: { code: "ACP_HTTP_CONNECT_FAILED", message: "x" } } as const;
		expect(deriveOutcome({ detail: ended(refused, undefined), view: emptyTurn, provider: "Lively" })).toMatchObject({
			tone: "bad",
			title: "The bridge couldn’t be reached",
			say: "The app couldn’t connect to the bridge. Your message is kept.",
		});
	});

	it("says of a message that a restored backup holds what is unknown: whether it was sent, not whether its run finished", () => {
		const message = "A backup was restored, so XWorkmate can't tell whether this message was sent after the backup was made.";
		const { runId: _, ...turn } = ended({ status: "interrupted", resultDetail: { code: "STORE_RESTORED", message } }, undefined).turn;
		expect(deriveOutcome({ detail: { ...ended({}, undefined), turn }, view: emptyTurn, provider: "Lively" })).toMatchObject({
			tone: "unk",
			title: "Outcome unknown: a backup was restored",
			say: message,
		});
	});

	it("says of such a message that the app still asks, and only after that what the user can do", () => {
		const resultDetail = { code: "STORE_RESTORED", message: "It may have been sent.", fix: "Check whether it was sent." };
		const { runId: _, endedAt: _end, ...turn } = ended({}, undefined).turn;
		const unresolved = { ...turn, status: "unresolved", unresolvedSince: lostAt, resultDetail } as const;
		const cardAt = (now: number) =>
			deriveOutcome({ detail: { ...ended({}, undefined), turn: unresolved }, view: emptyTurn, provider: "Lively", now });
		const asked = cardAt(Date.parse(lostAt));
		expect(asked?.say).toBe(`It may have been sent. The app will keep asking the bridge until ${until}.`);
		expect(asked).not.toHaveProperty("fix");
		expect(cardAt(Date.parse(lostAt) + limits.unresolvedKeepMs)).toMatchObject({
			say: "It may have been sent. The app has stopped asking the bridge.",
			fix: "Check whether it was sent.",
		});
	});
});
