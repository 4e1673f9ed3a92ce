import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { Sha256 } from "@xworkmate/contracts";
import { DeliveryExecutor } from "../../../src/plans/executor/delivery-executor.ts";
import { defaultDeliveryLimits } from "../../../src/plans/executor/delivery-limits.ts";
import { PlanLog } from "../../../src/plans/plan-log.ts";
import type { DeliveryChannel } from "../../../src/ports/channels/channel.ts";
import { systemClock, timestamp } from "../../../src/ports/clock.ts";
import { openSqliteStore } from "../../../src/store/sqlite/index.ts";

/**
 * A process that sends what a store holds: `home journal epoch point count`. Epoch 0: one of its own. It stops itself (SIGSTOP) at the point
 * of its `count`th message, after it has said `frozen`; `point` is `never`, `before` the hand-over,
 * `between` it and the sending, or `after` both. Then it says `left`, or `refused`.
 */
const [home = "", journal = "", givenEpoch = "0", point = "never", count = "0"] = process.argv.slice(2);
const store = openSqliteStore(home);
const plans = store.plans;
const epoch = Number(givenEpoch) || (await plans.beginEpoch(timestamp(Date.now())));
const file = openSync(journal, "a");
let begun = 0;

function freezeAt(here: string, isMine: boolean): void {
	if (point !== here || !isMine) return;
	writeSync(1, "frozen\n");
	process.kill(process.pid, "SIGSTOP");
}

const unused = () => Promise.reject(new Error("nobody asks"));
const channel: DeliveryChannel = {
	channel: "email",
	constraints: "",
	lint: () => [],
	contentProblem: () => undefined,
	owner: () => "owner@example.org",
	render: async ({ actionId = "", text }) => {
		const bytes = Buffer.from(`${actionId} ${text}`);
		const sha256 = Sha256.parse(createHash("sha256").update(bytes).digest("hex"));
		return { payload: { sha256, channel: "email", mediaType: "text/plain", bytes, envelope: "{}" }, parts: [] };
	},
	partsOf: unused,
	availability: async () => undefined,
	send: async ({ bytes }, handOver) => {
		const isMine = ++begun === Number(count);
		freezeAt("before", isMine);
		try {
			await handOver();
		} catch (error) {
			if (isMine) writeSync(1, "refused\n");
			throw error;
		}
		freezeAt("between", isMine);
		// The moment of sending: what is in the journal has left, whatever becomes of this process.
		writeSync(file, `${Buffer.from(bytes).toString().split(" ")[0]} ${process.pid}\n`);
		fsyncSync(file);
		freezeAt("after", isMine);
		if (isMine) writeSync(1, "left\n");
		return { kind: "accepted", proof: "sent" };
	},
	view: unused,
	test: unused,
};

const onError = (error: unknown) => void writeSync(1, `error ${error instanceof Error ? error.message : error}\n`);
const log = new PlanLog({
	store: plans,
	clock: systemClock,
	epoch,
	retryForMs: 1_000,
	retryEveryMs: 20,
	onFatal: () => process.exit(3),
	onError,
});
const executor = new DeliveryExecutor({
	store: plans,
	log,
	channels: new Map([["email", channel]]),
	resolveRecipient: () => undefined,
	messageOf: async ({ occurrenceId, dueAt }, { actionId, content = "" }, { planId, title }) => ({
		...{ actionId, planId, occurrenceId, title, text: content, address: "someone@example.org", files: [], at: dueAt },
	}),
	clock: systemClock,
	limits: {
		...defaultDeliveryLimits,
		leaseMs: 1_500,
		sendTimeoutMs: 1_500,
		firstRetryMs: 50,
		sendsPerHour: 100_000,
		deliverWithinMs: Number.MAX_SAFE_INTEGER,
		lookEveryMs: 100,
	},
	onError,
});
await executor.recover();
executor.begin();
writeSync(1, "begun\n");
process.once("SIGTERM", async () => {
	await executor[Symbol.asyncDispose]();
	log[Symbol.dispose]();
	closeSync(file);
	store.close();
	process.exit(0);
});
