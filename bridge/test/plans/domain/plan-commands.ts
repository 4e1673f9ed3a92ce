import { type DeliveryAction, RunId, ThreadId } from "@xworkmate/contracts";
import fc from "fast-check";
import { decideAgain, decideMend } from "../../../src/plans/domain/decide-again.ts";
import {
	decideAbandoned,
	decideClaim,
	decideHandOver,
	decideHold,
	decideOutcome,
	decideProof,
	decideSettle,
} from "../../../src/plans/domain/decide-delivery.ts";
import {
	decideBegin,
	decideCancel,
	decideDue,
	decideRunKnown,
	decideWorked,
	resent,
	type WorkResult,
} from "../../../src/plans/domain/decide-occurrence.ts";
import { decideChange, decideDelete, decidePause, decideResume } from "../../../src/plans/domain/decide-plan.ts";
import { decideReview, type ReviewDecision } from "../../../src/plans/domain/decide-review.ts";
import type { SendOutcome } from "../../../src/ports/channels/channel.ts";
import { timestamp } from "../../../src/ports/clock.ts";
import type { OpenOccurrence, PlanEvent } from "../../../src/ports/plans/plan-event.ts";
import { hashOf } from "../../store/contracts/plan-fixture.ts";
import type { PlanWorld } from "./plan-world.ts";

/** Something that happens, or does nothing where it can't. */
type Command = (world: PlanWorld) => Promise<unknown>;

const threadId = ThreadId.parse("thread-p");
const deliverable = (text: string) => ({ text, sha256: hashOf(text), source: "model" as const });

const results: readonly WorkResult[] = [
	{ run: { status: "completed" }, output: "work", gate: { valid: true }, deliverable: deliverable("The answer") },
	{ run: { status: "completed" }, output: "work", gate: { valid: true }, deliverable: deliverable("Another answer") },
	{ run: { status: "completed" }, output: "work", gate: { valid: false, reason: "missing", words: "There is none." } },
	{ run: { status: "completed" }, output: "work", gate: { valid: false, reason: "declined", words: "No." } },
	{ run: { status: "failed" }, output: "" },
	{ run: { status: "cancelled" }, output: "" },
	{ run: { status: "interrupted" }, output: "" },
];
const outcomes: readonly SendOutcome[] = [
	{ kind: "accepted", proof: "accepted", providerMessageId: "m" },
	{ kind: "accepted", proof: "accepted", awaitsProof: true },
	{ kind: "passing", message: "busy" },
	{ kind: "passing", message: "busy", retryAfterMs: 90_000_000 },
	{ kind: "held", code: "CHANNEL_AUTH", message: "no", fix: "sign in" },
	{ kind: "refused", code: "RECIPIENT_REFUSED", message: "no", fix: "none" },
	{ kind: "no_answer", message: "cut" },
];
const reviews: readonly ReviewDecision[] = [
	{ kind: "send", payloads: {} },
	{ kind: "edit", deliverable: { ...deliverable("In my words"), source: "person" }, payloads: {} },
	{ kind: "rerun" },
	{ kind: "discard" },
];

const ofOpen = (world: PlanWorld, which: number, decide: (open: OpenOccurrence) => readonly PlanEvent[], epoch?: number) =>
	world.write(({ open }) => {
		const one = open[which % Math.max(open.length, 1)];
		return one === undefined ? [] : decide(one);
	}, epoch);

const ofAction = (world: PlanWorld, which: number, decide: (open: OpenOccurrence, action: DeliveryAction) => readonly PlanEvent[]) =>
	ofOpen(world, which, (open) => {
		const { delivery } = open.occurrence;
		const action = delivery[Math.floor(which / 7) % Math.max(delivery.length, 1)];
		return action === undefined ? [] : decide(open, action);
	});

function lintOf({ findings: _none, ...result }: WorkResult, open: OpenOccurrence, hasLint: boolean): WorkResult {
	const [first] = open.occurrence.delivery;
	return !hasLint || first === undefined ? result : { ...result, findings: { [first.actionId]: [{ rule: "heading" }] } };
}

const worked =
	(which: number, result: WorkResult, hasLint: boolean): Command =>
	(world) =>
		world.write(({ open, plan }) => {
			const one = open[which % Math.max(open.length, 1)];
			const turnId = one?.occurrence.runs.at(-1)?.turnId;
			return one === undefined || turnId === undefined ? [] : decideWorked(one, plan, turnId, lintOf(result, one, hasLint));
		});

/** The work is done once more: its run was cut off, or a better message is asked for. Of a run that is over or was another one, nothing. */
const onceMore =
	(which: number, why: "again" | "mend", result: WorkResult, isOfFirst: boolean): Command =>
	(world) =>
		ofOpen(world, which, (open) => {
			const { runs } = open.occurrence;
			const turnId = (isOfFirst ? runs[0] : runs.at(-1))?.turnId;
			if (turnId === undefined) return [];
			if (why === "again") return decideAgain(open, turnId, { status: "interrupted" }, threadId);
			return decideMend(open, turnId, lintOf(result, open, true), threadId);
		});

const begin =
	(which: number): Command =>
	(world) =>
		world.write(({ open, plan }) => {
			const one = open[which % Math.max(open.length, 1)];
			return one === undefined ? [] : decideBegin(one, plan, threadId);
		});

const claim =
	(which: number, leaseMs: number): Command =>
	async (world) => {
		const held = { epoch: world.epoch, until: timestamp(world.now + leaseMs) };
		const [event] = await ofAction(world, which, (open, action) => decideClaim(open, action.actionId, held, world.now));
		const actionId = event?.event.attempt?.actionId;
		if (actionId !== undefined) world.claimed.push({ actionId, claim: held });
	};

/** By whoever has claimed it once, however long ago, and whatever bridge that was. */
const handOver =
	(which: number): Command =>
	async (world) => {
		const memory = world.claimed.at(-1 - (which % Math.max(world.claimed.length, 1)));
		if (memory === undefined) return;
		const { actionId, claim: held } = memory;
		const decide = (open: OpenOccurrence) => decideHandOver(open, actionId, held, world.now, { payloadHash: hashOf(actionId) });
		const open = (await world.state()).open.findIndex(({ occurrence }) => occurrence.delivery.some((one) => one.actionId === actionId));
		if (open < 0) return;
		try {
			await ofOpen(world, open, decide, held.epoch);
		} catch (error) {
			// A bridge that another has taken over from.
			if (held.epoch === world.epoch || !(error instanceof Error && "code" in error && error.code === "STORE_REFUSED")) throw error;
		}
	};

const outcome =
	(which: number, sent: SendOutcome): Command =>
	(world) => {
		const patience = { now: world.now, until: world.now + 86_400_000, most: 3, firstMs: 30_000, mostMs: 900_000 };
		return ofAction(world, which, (open, { actionId }) => decideOutcome(open, actionId, world.epoch, sent, world.at, patience));
	};

/** The next thing that would happen to a message, if all went well. */
const advance =
	(which: number, leaseMs: number): Command =>
	async (world) => {
		const { open } = await world.state();
		const occurrence = open[which % Math.max(open.length, 1)]?.occurrence;
		if (occurrence?.status === "due") return await begin(which)(world);
		if (occurrence?.status === "running") return await worked(which, results[0] ?? fail(), false)(world);
		const action = occurrence?.delivery[Math.floor(which / 7) % Math.max(occurrence.delivery.length, 1)];
		if (action?.status === "pending") return await claim(which, leaseMs)(world);
		if (action?.stage === "claimed") return await handOver(0)(world);
		if (action?.stage === "handing_over") return await outcome(which, outcomes[0] ?? fail())(world);
	};

function fail(): never {
	throw new Error("there is one");
}

const review =
	(which: number, decision: ReviewDecision, isOfOne: boolean): Command =>
	(world) =>
		ofAction(world, which, (open, { actionId }) => decideReview(open, isOfOne ? actionId : undefined, decision, threadId));

const due =
	(kind: "scheduled" | "manual", dueSeconds: number, isTooLate: boolean): Command =>
	(world) =>
		world.write((state) =>
			decideDue(state, { kind, dueAt: timestamp(world.now + dueSeconds * 1_000), nextDueAt: timestamp(world.now + 60_000), isTooLate }),
		);

const resend =
	(which: number): Command =>
	async (world) => {
		const { items } = await world.store.occurrences(world.planId, 50);
		const earlier = items[which % Math.max(items.length, 1)];
		const over = earlier?.delivery.filter(({ status }) => status === "failed" || status === "completed" || status === "unknown") ?? [];
		if (earlier === undefined || over.length === 0) return;
		await world.write((state) => resent(state, earlier, over, world.at, `again ${state.lastSeq}`));
	};

const runKnown =
	(which: number): Command =>
	(world) =>
		ofOpen(world, which, (open) => {
			const turnId = open.occurrence.runs.at(-1)?.turnId;
			return turnId === undefined ? [] : decideRunKnown(open, turnId, RunId.parse("run-1"));
		});

const abandoned =
	(which: number): Command =>
	(world) =>
		ofAction(world, which, (open, { actionId }) => decideAbandoned(open, actionId, world.epoch, world.now));

const proof =
	(which: number, kind: "proved" | "failed" | "silent"): Command =>
	(world) =>
		ofAction(world, which, (open, { actionId }) =>
			decideProof(open, actionId, kind === "proved" ? { kind, proof: "read" } : { kind, message: "no" }, world.at),
		);

const settle =
	(which: number, said: "sent" | "not_sent"): Command =>
	(world) =>
		ofAction(world, which, (open, { actionId }) => decideSettle(open, actionId, said, "person", world.at));

const hold =
	(which: number): Command =>
	(world) =>
		ofAction(world, which, (open, { actionId }) => decideHold(open, actionId, "SEND_LIMIT", {}));

const change: Command = (world) =>
	world.write((state) => decideChange(state, { title: "Changed", cron: null, work: [] }, { nextDueAt: undefined, words: "never" }));

const remove: Command = (world) => world.write((state) => [...decideDelete(state), ...state.open.flatMap((open) => decideCancel(open))]);

const restart: Command = async (world) => {
	world.epoch = await world.store.beginEpoch(world.at);
};

const passes =
	(ms: number): Command =>
	async (world) => {
		world.now += ms;
	};

/** Named, so that a history that fails can be read. */
function named<T extends unknown[]>(
	name: string,
	weight: number,
	make: (...args: T) => Command,
	...args: { [K in keyof T]: fc.Arbitrary<T[K]> }
) {
	const arbitrary = fc.tuple<T>(...args).map((values) => ({
		run: make(...values),
		[fc.toStringMethod]: () => `${name}(${values.map((value) => JSON.stringify(value)).join(", ")})`,
	}));
	return { weight, arbitrary };
}

const which = fc.nat(60);
const lease = fc.constantFrom(1, 60_000);

/** Histories in which most commands can happen. */
export const histories = fc.array(
	fc.oneof(
		named("advance", 12, advance, which, lease),
		named(
			"due",
			4,
			due,
			fc.constantFrom("scheduled", "manual"),
			fc.integer({ min: -2, max: 2 }),
			fc.nat(4).map((n) => n === 0),
		),
		named("begin", 2, begin, which),
		named("worked", 2, worked, which, fc.constantFrom(...results), fc.boolean()),
		named("onceMore", 3, onceMore, which, fc.constantFrom("again", "mend"), fc.constantFrom(...results), fc.boolean()),
		named("runKnown", 2, runKnown, which),
		named("claim", 4, claim, which, lease),
		named("handOver", 4, handOver, which),
		named("outcome", 4, outcome, which, fc.constantFrom(...outcomes)),
		named("abandoned", 3, abandoned, which),
		named("proof", 2, proof, which, fc.constantFrom("proved", "failed", "silent")),
		named("settle", 2, settle, which, fc.constantFrom("sent", "not_sent")),
		named("hold", 1, hold, which),
		named("review", 6, review, which, fc.constantFrom(...reviews), fc.boolean()),
		named("cancel", 1, (n: number) => (world) => ofOpen(world, n, decideCancel), which),
		named("resend", 2, resend, which),
		named("pause", 1, () => (world) => world.write(decidePause)),
		named("resume", 1, () => (world) => world.write((state) => decideResume(state, timestamp(world.now + 60_000)))),
		named("change", 1, () => change),
		named("remove", 1, (n: number) => (n > 0 ? passes(0) : remove), fc.nat(9)),
		named("passes", 2, passes, fc.integer({ min: -200_000, max: 400_000 })),
		named("restart", 2, () => restart),
	),
	{ minLength: 10, maxLength: 60 },
);
