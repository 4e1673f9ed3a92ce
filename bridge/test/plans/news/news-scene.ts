import { createHash } from "node:crypto";
import { ContractError, type PlanId } from "@xworkmate/contracts";
import { NewsDesk } from "../../../src/plans/news/news-desk.ts";
import { createReplyWindows } from "../../../src/plans/news/reply-windows.ts";
import { Settlements } from "../../../src/plans/news/settlements.ts";
import type { PlanLog } from "../../../src/plans/plan-log.ts";
import type { SendOutcome } from "../../../src/ports/channels/channel.ts";
import type { ChannelNews, KeyedTold, MessageNews } from "../../../src/ports/channels/channel-news.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import { duePlan, found, second } from "../../store/contracts/plan-fixture.ts";
import { openSqliteUnderTest } from "../../store/sqlite-store-under-test.ts";
import { openBridge } from "../executor/executor-scene.ts";
import { ScriptedChannel } from "../executor/scripted-channel.ts";

export const toWhatsApp = { channel: "whatsapp", content: "Good morning" };
export const ADDRESS = "+15550001111";
const acceptedAs = (id: string): SendOutcome => ({ kind: "accepted", proof: "accepted", providerMessageId: id, awaitsProof: true });

/** As WhatsApp says it, without our name of the message unless one is given. */
export function newsOf(id: string, news: MessageNews, more: Partial<ChannelNews> = {}): KeyedTold {
	const told = { kind: "news" as const, news: { channel: "whatsapp" as const, providerMessageId: id, at: second(9), news, ...more } };
	return { key: createHash("sha256").update(JSON.stringify(told)).digest("hex"), told };
}

/** A store, a channel that accepts what it gets, and all that takes what it tells; `restart` is another bridge over the same store. */
export async function openNewsScene() {
	const file = await openSqliteUnderTest();
	const clock = new FakeClock(Date.parse(second(0)));
	const channel = new ScriptedChannel("whatsapp");
	channel.play = async ({ handOver, leave }) => {
		await handOver();
		leave();
		return acceptedAs(`wamid.${channel.journal.length}`);
	};
	const refused: unknown[] = [];
	const errors: unknown[] = [];
	const onError = (error: unknown) => void errors.push(error);
	let ports = file.ports;
	const openAll = async () => {
		const { plans: store, channels: told } = ports;
		const bridge = await openBridge(store, { clock, channels: [channel] });
		const windows = createReplyWindows(told);
		const resolveRecipient = (_channel: string, recipient: string | undefined) => {
			if (recipient === "gone") throw new ContractError("RECIPIENT_UNKNOWN");
			return { address: recipient ?? ADDRESS };
		};
		const log: PlanLog = bridge.log;
		const base = { store, log, told, clock, onError, confirmMs: 600_000 };
		const desk = new NewsDesk({ ...base, windows, resolveRecipient, onChannelRefused: (...told) => void refused.push(told) });
		const settlements = new Settlements({ ...base, channels: new Map([["whatsapp" as const, channel]]), askMs: 30_000 });
		return { ...bridge, desk, settlements, windows, store, told };
	};
	let now = await openAll();
	const close = async () => {
		await now.settlements[Symbol.asyncDispose]();
		await now.desk[Symbol.asyncDispose]();
		await now.executor[Symbol.asyncDispose]();
		now.log[Symbol.dispose]();
	};
	return {
		clock,
		channel,
		errors,
		/** What the desk was told of channels that refuse any message. */
		refused,
		get now() {
			return now;
		},
		plan: (planId: string, delivery: readonly unknown[] = [toWhatsApp]) => duePlan(now.store, planId, now.log.epoch, { delivery }),
		first: async (planId: PlanId) => {
			const [action] = (await found(now.store, planId)).newest?.delivery ?? [];
			if (action === undefined) throw new Error("the plan has no message");
			return action;
		},
		begin: async () => {
			await now.executor.recover();
			now.executor.begin();
			await now.desk.begin();
			await now.settlements.begin();
		},
		pass: (milliseconds: number) => {
			clock.advance(milliseconds);
			now.executor.wake();
		},
		restart: async () => {
			await close();
			ports = await file.reopen();
			now = await openAll();
		},
		waiting: async () => (await now.told.waiting(100)).length,
		[Symbol.asyncDispose]: async () => {
			await close();
			await file[Symbol.asyncDispose]();
		},
	};
}
