import { TurnId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { runLogEntries } from "../../../src/run-log/run-log-entries.ts";
import { logWord } from "../../../src/strings/runs/states.ts";
import type { Turn } from "../../../src/threads/domain/thread.ts";
import { at, ended, snapshot } from "../stories.ts";

const logOf = (more: Partial<Turn>) => {
	const { request, turn } = ended({}, undefined);
	const { runId: _run, endedAt: _end, ...sent } = turn;
	const entries = runLogEntries(
		{ threadId: snapshot({}).threadId, request, turn: { ...sent, turnId: TurnId.parse("turn1"), ...more } },
		[],
		(text) => text,
	);
	return entries.slice(1).map(({ from, to, what, text, dropped = false }) => [from, to, logWord(what), text, dropped]);
};
const { runId } = snapshot({});

it("does not say that a message that never left was a run that the bridge ended", () => {
	const endedAt = at(9) as Turn["createdAt"];
	const detail = { code: "ACP_HTTP_CONNECT_FAILED", message: "Nothing answers." };
	expect(logOf({ status: "refused", resultCode: "ACP_HTTP_CONNECT_FAILED", resultDetail: detail, endedAt })).toEqual([
		["app", "app", "Not sent", "ACP_HTTP_CONNECT_FAILED: Nothing answers.", false],
	]);
	expect(logOf({ status: "cancelled", resultCode: "aborted", endedAt })).toEqual([["app", "app", "Cancelled", "aborted", false]]);
	expect(logOf({ status: "completed", resultCode: "success", endedAt, runId })[0]).toEqual([
		"bridge",
		"app",
		"Run ended",
		"success",
		false,
	]);
});

it("says of a stop that was requested nothing of the bridge, which reports when the run is stopping", () => {
	expect(logOf({ status: "running", runId, cancelRequestedAt: at(3) as Turn["createdAt"] })).toEqual([
		["app", "app", "Stop requested", "", false],
	]);
});

it("does not say that a message that may have been sent was not sent", () => {
	const detail = { code: "STORE_RESTORED", message: "XWorkmate can't tell whether this message was sent." };
	const endedAt = at(9) as Turn["createdAt"];
	expect(logOf({ status: "interrupted", resultCode: "interrupted", resultDetail: detail, endedAt })).toEqual([
		["app", "app", "Outcome unknown", "interrupted: XWorkmate can't tell whether this message was sent.", false],
	]);
});

it("does not say of a bridge that answered that it did not, nor when its answer came", () => {
	const unresolvedSince = at(5) as Turn["createdAt"];
	const unresolved = (code: string, message: string) =>
		logOf({ status: "unresolved", runId, unresolvedSince, resultDetail: { code, message } });
	expect(unresolved("NOT_FOUND", "There is no run run-1.")).toEqual([["app", "app", "Outcome unknown", "", false]]);
	expect(unresolved("ACP_HTTP_CONNECT_FAILED", "Nothing answers.")).toEqual([["bridge", "app", "No response", "Nothing answers.", true]]);
	expect(unresolved("STORE_RESTORED", "A backup was restored.")).toEqual([["app", "app", "Outcome unknown", "", false]]);
	const later = { resultDetail: { code: "PROVIDER_ERROR", message: "The model is overloaded." }, endedAt: at(900) as Turn["createdAt"] };
	expect(logOf({ status: "failed", runId, unresolvedSince, resultCode: "failed", ...later })).toEqual([
		["app", "app", "Outcome unknown", "", false],
		["bridge", "app", "Run ended", "failed: The model is overloaded.", false],
	]);
});
