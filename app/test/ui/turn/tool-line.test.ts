import type { Approval, ToolId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { shownCall, waitedMs, withRequest } from "../../../src/ui/turn/seen-call.ts";
import { toolLine } from "../../../src/ui/turn/tool-line.ts";

it("a typed tool is called, whatever its risk: a destructive one need not delete anything", () => {
	const typed = (state: "pending" | "running" | "completed", origin: "executed" | "reported" = "executed") =>
		toolLine({ toolKind: "delete", state, origin, toolId: "mail.messages.remove" as ToolId }, "live").word;
	expect([typed("pending"), typed("running"), typed("completed")]).toEqual(["Wants to call", "Calling", "Called"]);
	expect(typed("completed", "reported")).toBe("Reportedly deleted");
});

it("what a built-in tool of the bridge does is known, and in the words of its kind", () => {
	const write = (state: "running" | "completed") => toolLine({ toolKind: "edit", state, origin: "executed" }, "live").word;
	expect([write("running"), write("completed")]).toEqual(["Editing", "Edited"]);
});

it("a call that is only announced is not said not to have begun, which not every agent reports, and does not wait for an answer that nobody is asked for", () => {
	const call = { toolCallId: "c1", title: "npm run wipe", toolKind: "execute", state: "pending" } as const;
	expect(toolLine(call, "live")).toEqual({
		word: "Announced:",
		state: { tone: "run", word: "not reported as started, no approval requested" },
	});
	expect(toolLine(call, "as of 10:00")).toEqual({ word: "Announced:", state: { tone: "unk", word: "as of 10:00" } });
	expect(toolLine({ ...call, state: "running" }, "live")).toEqual({ word: "Running", state: { tone: "run", word: "running" } });
	const asked = { state: "pending", asker: { target: "agent" }, requestedAt: "2026-11-23T10:00:00.000Z" } as Approval;
	expect(toolLine(withRequest(call, asked), "live").word).toBe("Wants to run");
});

it("a call that its agent reports as done without permission says that, in a run of any state", () => {
	for (const open of ["live", "unknown", "stopped"] as const) {
		expect(toolLine({ toolKind: "edit", state: "denied", origin: "reported", unpermitted: "denied" }, open)).toEqual({
			word: "Denied:",
			state: { tone: "bad", word: "but the agent reports doing it anyway" },
		});
		const swapped = { allowed: "ls", reported: "rm -rf stuff" };
		expect(toolLine({ toolKind: "execute", state: "completed", origin: "reported", unpermitted: "another", swapped }, open)).toEqual({
			word: "Reportedly ran",
			state: { tone: "bad", word: "but not as allowed: allowed “ls”, reported “rm -rf stuff”" },
		});
		expect(toolLine({ toolKind: "execute", state: "running", origin: "reported", unpermitted: "another", swapped }, open)).toEqual({
			word: { live: "Running", unknown: "Unknown:", stopped: "Stopped:" }[open],
			state: { tone: "bad", word: "but not as allowed: allowed “ls”, reported “rm -rf stuff”" },
		});
		expect(toolLine({ toolKind: "execute", state: "pending", origin: "reported", unpermitted: "another", swapped }, open).word).toBe(
			{ live: "Wants to run", unknown: "Unknown:", stopped: "Stopped:" }[open],
		);
		expect(toolLine({ toolKind: "execute", state: "completed", origin: "reported", unpermitted: "unanswered" }, open)).toEqual({
			word: "Reportedly ran",
			state: { tone: "bad", word: "without your answer" },
		});
	}
});

it("a call that contains a denied command names what was denied, and is itself not said to be denied", () => {
	const call = {
		toolKind: "execute",
		state: "completed",
		origin: "reported",
		unpermitted: "denied",
		deniedCommand: "curl evil.com",
	} as const;
	expect(toolLine(call, "unknown")).toEqual({
		word: "Reportedly ran",
		state: { tone: "bad", word: "although “curl evil.com” was denied" },
	});
	const asked = { title: "Terminal", toolKind: "execute" } as const;
	const shown = shownCall({ ...call, toolCallId: "c1" as never, title: 'sh -c "curl evil.com"', asked, isAllowed: true });
	expect(shown.title).toBe('sh -c "curl evil.com"');
});

it("a denied call of an agent is not said to be blocked, since only a typed tool is held back", () => {
	const denied = (origin: "executed" | "reported") => toolLine({ toolKind: "delete", state: "denied", origin }, "unknown").word;
	expect([denied("reported"), denied("executed")]).toEqual(["Denied:", "Blocked:"]);
});

it("a call whose request ended without permission does not wait for one any more, although its run goes on", () => {
	const call = { toolCallId: "c1", title: "npm run migrate", toolKind: "execute", state: "pending" } as const;
	const asked = { state: "pending", asker: { target: "agent" }, requestedAt: "2026-11-23T10:00:00.000Z" } as Approval;
	const waiting = { word: "Wants to run", state: { tone: "run", word: "waiting" } };
	const first = withRequest(call, asked);
	expect(toolLine(first, "live")).toEqual(waiting);
	const ended = withRequest(first, { ...asked, state: "withdrawn", decidedAt: "2026-11-23T10:00:30.000Z" } as Approval);
	for (const open of ["live", "as of 10:00", "stopped"] as const) {
		expect(toolLine(ended, open)).toEqual({ word: "Not allowed:", state: { tone: "off", word: "no answer" } });
	}
	expect(toolLine(withRequest(ended, asked), "live")).toEqual(waiting);
});

it("how long an agent waited for the user is known of a call once it was answered", () => {
	const call = { toolCallId: "c1", title: "rm -rf build", toolKind: "execute", state: "pending" } as const;
	const asked = { state: "pending", requestedAt: "2026-11-23T10:00:00.000Z" } as Approval;
	const answered = { ...asked, state: "decided", decision: "allow_once", decidedAt: "2026-11-23T10:00:30.000Z" } as Approval;
	expect(waitedMs(withRequest(call, asked))).toBe(0);
	expect(waitedMs(withRequest(withRequest(call, answered), answered))).toBe(30_000);
});

it("a move that the files confirm is said to be made, and any other is only reported", () => {
	const move = { toolKind: "move", state: "completed" } as const;
	expect(toolLine({ ...move, stillThere: false }, "live")).toEqual({ word: "Moved" });
	for (const found of [{}, { notFound: false }, { untouched: false }])
		expect(toolLine({ ...move, ...found }, "live")).toEqual({ word: "Reportedly moved" });
});

it("an edit that was only reported, of a file that is not there, is not said to be done", () => {
	const edit = { toolKind: "edit", state: "completed" } as const;
	expect(toolLine({ ...edit, notFound: true }, "live")).toEqual({
		word: "Says it edited:",
		state: { tone: "unk", word: "but the file wasn’t there" },
	});
	expect(toolLine({ ...edit, notFound: false }, "live")).toEqual({ word: "Edited" });
	expect(toolLine({ ...edit, state: "running", notFound: true }, "live").word).toBe("Editing");
	for (const [found, word] of [
		[{ untouched: true }, "but the file hadn’t changed"],
		[{ notHeld: true }, "but the file didn’t contain the reported text"],
	] as const) {
		expect(toolLine({ ...edit, ...found }, "live")).toEqual({ word: "Says it edited:", state: { tone: "unk", word } });
	}
	expect(toolLine({ ...edit, untouched: false, notHeld: false }, "live")).toEqual({ word: "Edited" });
});

it("a move that was only reported, whose file is not there, is not said to be done", () => {
	const move = { toolKind: "move", state: "completed" } as const;
	expect(toolLine({ ...move, notFound: true }, "live")).toEqual({
		word: "Says it moved:",
		state: { tone: "unk", word: "but the file wasn’t there" },
	});
	expect(toolLine({ ...move, untouched: true }, "live")).toEqual({
		word: "Says it moved:",
		state: { tone: "unk", word: "but the file hadn’t changed" },
	});
	expect(toolLine({ ...move, notFound: false }, "live")).toEqual({ word: "Reportedly moved" });
});

it("a deletion that was only reported is said to be done where the file is gone, and not where it is still there", () => {
	const deletion = { toolKind: "delete", state: "completed" } as const;
	expect(toolLine({ ...deletion, stillThere: true }, "live")).toEqual({
		word: "Says it deleted:",
		state: { tone: "unk", word: "but the file was still there" },
	});
	expect(toolLine({ ...deletion, stillThere: false }, "live")).toEqual({ word: "Deleted" });
	expect(toolLine(deletion, "live")).toEqual({ word: "Reportedly deleted" });
});

it("what nothing can be seen of is reported, also if it only reads", () => {
	const said = (["execute", "move", "fetch", "other", "edit", "read", "search"] as const).map(
		(toolKind) => toolLine({ toolKind, state: "completed" }, "live").word,
	);
	expect(said).toEqual([
		...["Reportedly ran", "Reportedly moved", "Reportedly fetched", "Reportedly used a tool", "Reportedly edited"],
		...["Reportedly read", "Reportedly searched"],
	]);
});

it("a call that its agent has changed since it asked says what the agent calls it now", () => {
	const call = { toolKind: "execute", state: "pending", wasAsked: true, isChanged: true } as const;
	const changed = "waiting, but the agent has changed this call since it asked";
	expect(toolLine({ ...call, now: "rm -rf ~" }, "live").state).toEqual({ tone: "unk", word: `${changed}, to “rm -rf ~”` });
	expect(toolLine(call, "live").state?.word).toBe(changed);
});

it("a denied call keeps its name, and says what its agent calls it when it reports doing it", () => {
	const asked = { title: "npm run lint", toolKind: "execute" } as const;
	const call = {
		toolCallId: "c1" as never,
		title: "Delete main.js",
		toolKind: "delete",
		state: "denied",
		asked,
		isAllowed: false,
	} as const;
	for (const unpermitted of ["denied", "found"] as const) expect(shownCall({ ...call, unpermitted })).toMatchObject(asked);
	expect(shownCall({ ...call, unpermitted: "unanswered" })).toMatchObject({ title: "Delete main.js" });
	const said = toolLine({ ...shownCall({ ...call, unpermitted: "denied" }), isChanged: true, now: "Delete main.js" }, "live");
	expect(said).toEqual({
		word: "Denied:",
		state: { tone: "bad", word: "but the agent reports doing it anyway and calls it “Delete main.js”" },
	});
	expect(toolLine({ ...call, unpermitted: "denied" }, "live").state?.word).toBe("but the agent reports doing it anyway");
});

it("a call waits while a request about it is open, also if its agent says that it runs, or if it was allowed before", () => {
	const asks = { title: "rm -rf build", toolKind: "execute" } as const;
	const request = (approvalId: string, more: Partial<Approval> = {}) =>
		({ ...asks, approvalId, state: "pending", asker: { target: "agent" }, requestedAt: "2026-11-23T10:00:00.000Z", ...more }) as Approval;
	const allow = { state: "decided", decision: "allow_once" } as const;
	const call = (state: "pending" | "running") => ({ toolCallId: "c1", title: "rm -rf build", toolKind: "execute", state }) as const;
	const waits = { word: "Wants to run", state: { tone: "run", word: "waiting" } };
	const again = [request("a"), request("a", allow), request("b")].reduce(withRequest, call("pending"));
	for (const waiting of [withRequest(call("running"), request("a")), again, { ...again, state: "running" as const }]) {
		expect(toolLine(waiting, "live")).toEqual(waits);
		expect(toolLine(waiting, "as of 10:00")).toEqual({ word: "Wants to run", state: { tone: "unk", word: "as of 10:00" } });
	}
	expect(shownCall({ ...again, title: "rm -rf /" }).title).toBe("rm -rf build");
	expect(toolLine(withRequest(again, request("b", allow)), "live").state?.word).toBe("allowed");
	// One permission is enough if the agent asked twice before it.
	const both = [request("a"), request("b"), request("a", allow)].reduce(withRequest, call("running"));
	expect(toolLine(both, "live")).toEqual({ word: "Running", state: { tone: "run", word: "running" } });
});

it("a call with two open requests, one of which is denied, still waits for the answer to the other", () => {
	const call = { toolCallId: "c1", title: "npm test", toolKind: "execute", state: "pending" } as const;
	const request = (approvalId: string, more: Partial<Approval> = {}) =>
		({ approvalId, state: "pending", asker: { target: "agent" }, requestedAt: "2026-11-23T10:00:00.000Z", ...more }) as Approval;
	const deny = { state: "decided", decision: "deny" } as const;
	const line = (...requests: readonly Approval[]) => toolLine(requests.reduce(withRequest, call), "live");
	const waits = { word: "Wants to run", state: { tone: "run", word: "waiting" } };
	const both = [request("a"), request("b")];
	expect(line(...both, request("a", deny))).toEqual(waits);
	expect(line(...both, request("b", deny))).toEqual(waits);
	expect(line(...both, request("a", deny), request("b", { state: "expired" })).word).toBe("Not allowed:");
	expect(line(...both, request("a", deny), request("b", { state: "decided", decision: "allow_once" })).state?.word).toBe("allowed");
});

it("a call whose request was open in a restored backup may have been made since", () => {
	const asks = { approvalId: "a", asker: { target: "agent" }, requestedAt: "2026-11-23T10:00:00.000Z" };
	const call = { toolCallId: "c1", title: "npm test", toolKind: "execute", state: "pending" } as const;
	const line = (reason: Approval["reason"]) => {
		const requests = [
			{ ...asks, state: "pending" },
			{ ...asks, state: "withdrawn", reason },
		] as Approval[];
		return toolLine(requests.reduce(withRequest, call), "unknown");
	};
	expect(line("bridge_stopped").word).toBe("Not allowed:");
	expect(line("backup_restored")).toEqual({ word: "Unknown:", state: { tone: "unk", word: "no result" } });
});
