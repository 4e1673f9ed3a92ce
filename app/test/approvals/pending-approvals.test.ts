import { type Approval, ApprovalId, ContractError, RunId, ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { PendingApprovals } from "../../src/approvals/pending-approvals.ts";
import type { BridgeClient } from "../../src/bridge-client/index.ts";
import { closed, fromNetwork } from "../../src/bridge-client/wire/bridge-errors.ts";
import { AppError } from "../../src/errors/app-error.ts";
import { AppEvents } from "../../src/threads/app-events.ts";
import { AT } from "../support/fake-run.ts";

const pending: Approval = {
	approvalId: ApprovalId.parse("approval-1"),
	runId: RunId.parse("run-1"),
	threadId: ThreadId.parse("thread"),
	title: "npm test",
	toolKind: "execute",
	inputHash: "0".repeat(64),
	options: ["allow_once", "allow_window", "deny"],
	grantScope: { kind: "program", words: ["npm", "test"] },
	windowSeconds: 900,
	requestedAt: AT,
	expiresAt: AT,
	state: "pending",
};
const granted: Approval = { ...pending, state: "decided", decision: "allow_window", decidedAt: AT };

/** A repository over a bridge that answers like this, and what it told. */
function repository(answers: Readonly<Record<string, () => unknown>>) {
	const told: string[] = [];
	const call = async (method: string) => answers[method]?.();
	const client = { call } as Pick<BridgeClient, "call">;
	const events = new AppEvents();
	events.on("approvalChanged", ({ state }) => void told.push(state));
	events.on("grantsChanged", () => void told.push("grants"));
	events.on("grantHeardOf", () => void told.push("heard of"));
	return { told, events, repository: new PendingApprovals(client, events) };
}

it("[D2] knows what waits at a bridge that has no named grants", async () => {
	const older = {
		"xworkmate.approvals.grants": () => {
			throw new ContractError("METHOD_NOT_FOUND");
		},
		"xworkmate.approvals.list": () => ({ items: [pending] }),
	};
	const { repository: known } = repository(older);
	await known.refresh();
	expect([known.pending, known.grants]).toEqual([[pending], []]);
});

it("[D2] asks the bridge about a grant that a run's update tells of: it may have been revoked since", async () => {
	const { repository: known, told } = repository({
		"xworkmate.approvals.grants": () => ({ items: [] }),
		"xworkmate.approvals.list": () => ({ items: [] }),
	});
	known.see(granted);
	expect([told, known.grants]).toEqual([["heard of", "decided"], undefined]);
	await known.refresh();
	expect(known.grants).toEqual([]);
});

it("has no grants to name until the bridge has listed them, and tells that there are none", async () => {
	const { repository: known, told } = repository({
		"xworkmate.approvals.grants": () => ({ items: [] }),
		"xworkmate.approvals.list": () => ({ items: [] }),
	});
	expect(known.grants).toBeUndefined();
	await known.refresh();
	await known.refresh();
	expect([told, known.grants]).toEqual([["grants"], []]);
});

it("does not bring back a grant that was revoked while the list was on its way, and remembers the newest of them alone", async () => {
	const idOf = (index: number) => ApprovalId.parse(`approval-${index}`);
	const listed = [1, 1_001].map((index) => ({ ...granted, approvalId: idOf(index) }));
	const { repository: known } = repository({
		"xworkmate.approvals.grants": () => ({ items: listed }),
		"xworkmate.approvals.revoke": () => ({ record: granted, applied: true }),
		"xworkmate.approvals.list": () => ({ items: [] }),
	});
	for (let index = 1; index <= 1_001; index++) await known.revoke(idOf(index));
	await known.refresh();
	expect(known.grants?.map(({ approvalId }) => approvalId)).toEqual([idOf(1)]);
});

it("keeps a grant whose revocation could not be written, as the bridge lists it, until it is", async () => {
	let isFull = true;
	let items: readonly Approval[] = [granted];
	const { repository: known, told } = repository({
		"xworkmate.approvals.grants": () => ({ items }),
		"xworkmate.approvals.list": () => ({ items: [] }),
		"xworkmate.approvals.revoke": () => {
			if (isFull) throw new ContractError("DISK_FULL");
			return { record: { ...granted, revokedAt: AT }, applied: true };
		},
	});
	await known.refresh();
	await expect(known.revoke(granted.approvalId)).rejects.toMatchObject({ code: "DISK_FULL" });
	expect(told).toEqual(["grants", "heard of"]);
	items = [{ ...granted, revokedAt: AT }];
	await known.refresh();
	expect([known.grants, told]).toEqual([items, ["grants", "heard of", "grants"]]);
	isFull = false;
	await known.revoke(granted.approvalId);
	await known.refresh();
	expect(known.grants).toEqual([]);
});

it("has no grants to name before the bridge lists them, even if one was given and revoked here", async () => {
	const { repository: known, told } = repository({
		"xworkmate.approvals.decide": () => ({ record: granted, applied: true }),
		"xworkmate.approvals.revoke": () => ({ record: { ...granted, revokedAt: AT }, applied: true }),
	});
	await known.decide(granted.approvalId, "allow_window");
	expect(known.grants).toBeUndefined();
	await known.revoke(granted.approvalId);
	expect([known.grants, told]).toEqual([undefined, ["decided"]]);
});

it("[D2] keeps a grant that was given while the list was on its way, and drops one that is over", async () => {
	const listed = Promise.withResolvers<object>();
	const { repository: known, told } = repository({
		"xworkmate.approvals.grants": () => listed.promise,
		"xworkmate.approvals.decide": () => ({ record: granted, applied: true }),
		"xworkmate.approvals.list": () => ({ items: [] }),
	});
	const refreshing = known.refresh();
	await known.decide(granted.approvalId, "allow_window");
	expect(known.grants).toBeUndefined();
	listed.resolve({ items: [] });
	await refreshing;
	expect(known.grants).toEqual([granted]);
	await known.refresh();
	expect(known.grants).toEqual([]);
	expect(told.filter((what) => what === "grants")).toHaveLength(2);
});

it.each([
	["refuses the connection", fromNetwork(Object.assign(new Error("x"), { code: "ECONNREFUSED" })), /was not sent/],
	["has no address", new AppError("BRIDGE_NOT_RUNNING", "The bridge has stopped.", "Read its log."), /was not sent/],
	["goes away meanwhile", closed("The connection to the bridge was closed."), /may not have arrived/],
])("promises nothing of an answer to a bridge that %s: its request may be gone when it is back", async (_, failure, message) => {
	const { repository: known } = repository({
		"xworkmate.approvals.decide": () => {
			throw failure;
		},
	});
	known.see(pending);
	const refusal: unknown = await known.decide(pending.approvalId, "allow_once").catch((error: unknown) => error);
	expect(refusal).toMatchObject({ message, fix: expect.stringMatching(/^When the bridge is back, /) });
	expect(refusal).not.toMatchObject({ fix: expect.stringContaining("try again") });
	expect(known.pending).toEqual([pending]);
});

it("reads the open requests once while the bridge's changes are followed, and again where they are not or were void", async () => {
	let listed = 0;
	const list = () => {
		listed += 1;
		return { items: [pending] };
	};
	const {
		repository: known,
		events,
		told,
	} = repository({
		"xworkmate.approvals.grants": () => ({ items: [] }),
		"xworkmate.approvals.list": list,
	});
	events.emit("approvalNews", { type: "followed", isFollowed: true });
	await known.refresh();
	await known.refresh();
	expect(listed).toBe(1);
	const second = { ...pending, approvalId: ApprovalId.parse("approval-2") };
	events.emit("approvalNews", { type: "approval", approval: second });
	expect(known.pending).toEqual([pending, second]);
	events.emit("approvalNews", { type: "approval", approval: { ...second, state: "decided", decision: "deny" } });
	expect(known.pending).toEqual([pending]);
	events.emit("approvalNews", { type: "resync" });
	expect(told).toContain("heard of");
	await known.refresh();
	await known.refresh();
	expect(listed).toBe(2);
	events.emit("approvalNews", { type: "followed", isFollowed: false });
	await known.refresh();
	expect(listed).toBe(3);
});

it("has requests of the same moment in the order in which they were asked, though the bridge lists the newest first", async () => {
	const second = { ...pending, approvalId: ApprovalId.parse("approval-2") };
	const { repository: known } = repository({
		"xworkmate.approvals.grants": () => ({ items: [] }),
		"xworkmate.approvals.list": () => ({ items: [second, pending] }),
	});
	await known.refresh();
	expect(known.pending).toEqual([pending, second]);
});

it("drops a grant that another app has revoked", async () => {
	const { repository: known, events } = repository({
		"xworkmate.approvals.grants": () => ({ items: [granted] }),
		"xworkmate.approvals.list": () => ({ items: [] }),
	});
	await known.refresh();
	expect(known.grants).toEqual([granted]);
	events.emit("approvalNews", { type: "approval", approval: { ...granted, revokedAt: AT } });
	expect(known.grants).toEqual([]);
});
