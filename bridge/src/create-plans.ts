import {
	type Origin,
	omitUndefined,
	type PlanId,
	type ProviderCapability,
	type Receipt,
	type Redaction,
	type Routing,
} from "@xworkmate/contracts";
import { KeyedQueue } from "@xworkmate/platform/async";
import { addressText } from "@xworkmate/platform/settings";
import type { Logger } from "pino";
import { type OpenedChannels, openChannels } from "./channels/open-channels.ts";
import type { BridgeConfig } from "./config/config.ts";
import { hostsWithPlanTool, type SaidZone } from "./plans/chat/plan-tool.ts";
import { DeliveryExecutor } from "./plans/executor/delivery-executor.ts";
import { type DeliveryLimits, defaultDeliveryLimits } from "./plans/executor/delivery-limits.ts";
import { measurePlans } from "./plans/measure-plans.ts";
import { createMessages } from "./plans/messages.ts";
import { NewsDesk } from "./plans/news/news-desk.ts";
import { createReplyWindows } from "./plans/news/reply-windows.ts";
import { Settlements } from "./plans/news/settlements.ts";
import { PlanLog } from "./plans/plan-log.ts";
import { checkTerms } from "./plans/plan-terms.ts";
import { holdRestored, Scheduler } from "./plans/scheduler.ts";
import { planFiles } from "./plans/service/plan-files.ts";
import { createPlanService } from "./plans/service/plan-service.ts";
import { OccurrenceRunner } from "./plans/work/occurrence-runner.ts";
import type { WebhookDoor } from "./ports/channels/channel-news.ts";
import type { ChannelService } from "./ports/channels/channel-service.ts";
import type { ChannelStore } from "./ports/channels/channel-store.ts";
import { type OwnerWords, ownerWords } from "./ports/channels/owner-words.ts";
import { type Clock, timestamp } from "./ports/clock.ts";
import type { AskModel } from "./ports/models/ask-model.ts";
import type { PlanLimits } from "./ports/plans/plan-limits.ts";
import type { PlanMeasures } from "./ports/plans/plan-measures.ts";
import type { PlanFiles, PlanService } from "./ports/plans/plan-service.ts";
import type { PlanStore } from "./ports/plans/plan-store.ts";
import type { RunProvider } from "./ports/runs/run-record.ts";
import type { RunResults } from "./ports/runs/run-results.ts";
import type { RunService } from "./ports/runs/run-service.ts";
import type { ReceiptService } from "./ports/tools/receipt-service.ts";
import type { HostsOfTurn } from "./ports/tools/turn-hosts.ts";

export interface PlansParts {
	readonly store: PlanStore;
	/** Where channels' reports about messages are stored. */
	readonly told: ChannelStore;
	readonly config: Pick<BridgeConfig, "bridgeHome" | "discord" | "planLimits" | "runLimits" | "webhookListen">;
	/** Receives the secrets of the channels. */
	readonly redaction: Redaction;
	readonly runs: RunService;
	readonly results: RunResults;
	readonly receipts: Pick<ReceiptService, "list">;
	readonly providers: () => Promise<readonly ProviderCapability[]>;
	/** The routing of a plan that names none. */
	readonly routing: () => Promise<Routing>;
	/** @throws ContractError from routing */
	readonly resolveRouting: (routing: Routing) => Promise<RunProvider>;
	/** Asks a model to turn the user's words into a plan. */
	readonly askModel: AskModel;
	readonly clock: Clock;
	readonly logger: Pick<Logger, "error">;
	/** Called when something that happened cannot be written: the process must not continue. */
	readonly onFatal: (error: unknown) => void;
	readonly measures: PlanMeasures;
	/** Called with receipts once they are committed. */
	readonly noteReceipts: (planId: PlanId, receipts: readonly Receipt[]) => void;
}

export interface Plans extends AsyncDisposable {
	readonly service: PlanService;
	readonly files: PlanFiles;
	readonly channels: ChannelService;
	/** The tools of a chat, including one that makes plans. */
	readonly hostsOfTurn: HostsOfTurn;
	/** The user whom the Discord bot asks about messages that need review; undefined if none is set. */
	discordUser(): string | undefined;
	/** The recipient of Discord messages that name none. */
	discordOwner(): OwnerWords;
	/** Receives WhatsApp's reports on what happened to messages. A report is stored at once, and takes effect from `begin` on. */
	readonly whatsappWebhook: WebhookDoor;
	/**
	 * Must be called before `begin` if a backup was restored: holds every message that could be sent.
	 * @throws the store's error
	 */
	holdRestored(): Promise<void>;
	/**
	 * Must be called before `begin` and before requests are answered: determines the state of messages that an earlier bridge was sending,
	 * and whose connections ended with that bridge. What can't be written is passed to the logger and retried from `begin` on.
	 */
	load(): Promise<void>;
	/** Continues what an earlier bridge left unfinished, then starts the scheduling of plans and the sending of messages. */
	begin(): Promise<void>;
}

/**
 * How long the bridge keeps trying to record what happened to a plan or a message. While the disk is full, it keeps trying without limit.
 */
const RETRY_FOR_MS = 30_000;

/** Composes plans. No plan comes due and no message is sent before `begin`, or after the plans are disposed of. */
export async function createPlans(parts: PlansParts): Promise<Plans> {
	const {
		config,
		store,
		told,
		redaction,
		runs,
		results,
		receipts,
		providers,
		routing,
		resolveRouting,
		askModel,
		clock,
		logger,
		onFatal,
		measures,
		noteReceipts,
	} = parts;
	const { bridgeHome, discord, planLimits: limits, runLimits, webhookListen } = config;
	const windows = createReplyWindows(told);
	const news = webhookListen && { listensOn: addressText(webhookListen), windows };
	const ways = openChannels({ bridgeHome, redaction, clock, store, discord, ...omitUndefined({ news }) });
	const { channels, resolveRecipient } = ways;
	const onError = (error: unknown) => logger.error({ err: error }, "a plan could not be continued");
	const epoch = await store.beginEpoch(timestamp(clock.now()));
	const log = new PlanLog({ store, clock, epoch, retryForMs: RETRY_FOR_MS, onFatal, onError });
	log.onCommitted((events) => {
		const [first] = events;
		const made = events.flatMap(({ event: { body } }) => (body.kind === "receipt" ? [body.receipt] : []));
		if (first !== undefined) noteReceipts(first.planId, made);
		measurePlans(events, measures);
	});
	const messageOf = createMessages(resolveRecipient, results);
	const base = { store, log, channels, resolveRecipient, resolveRouting, messageOf, clock, onError };
	const service = createPlanService({
		...base,
		runs,
		queue: new KeyedQueue(),
		maxPlans: limits.maxPlans,
		words: { askModel, scene: () => draftScene(ways, clock) },
	});
	const scheduler = new Scheduler({ store, log, clock, catchUpMs: limits.catchUpMs, onError });
	const runner = new OccurrenceRunner({
		...{ store, log, runs, results, channels, providers, routing, resolveRouting, clock, onError },
		receipts: (params) => receipts.list(params),
	});
	const executor = new DeliveryExecutor({ ...base, onChannelRefused: ways.refused, limits: deliveryLimits(limits, runLimits.stopMs) });
	const newsBase = { store, log, told, clock, onError, confirmMs: limits.confirmMs };
	const desk = new NewsDesk({ ...newsBase, windows, resolveRecipient, onChannelRefused: ways.refused });
	const settlements = new Settlements({ ...newsBase, channels, askMs: limits.sendTimeoutMs });
	const hostsOfTurn = hostsWithPlanTool({
		zoneOf: (origin) => zoneOf(origin, ways),
		scene: () => draftScene(ways, clock),
		check: (terms) => checkTerms(terms, base),
		made: async (requestId) => {
			const known = await store.findByRequest(requestId);
			return known && service.get({ planId: known.planId });
		},
		create: (plan) => service.create(plan),
	});
	return {
		service,
		hostsOfTurn,
		files: planFiles(store),
		channels: ways.service,
		discordUser: () => ways.discordUser(),
		discordOwner: () => ownerWords(channels.get("discord")?.owner()),
		whatsappWebhook: {
			secrets: () => ways.whatsappWebhook.secrets(),
			take: (body) => desk.take(ways.whatsappWebhook.told(body)),
		},
		holdRestored: () => holdRestored({ store, log, clock, catchUpMs: limits.catchUpMs }),
		load: () => executor.recover(),
		async begin() {
			// A change to a channel or contact may allow or prevent sending the messages in the queue.
			ways.onChanged(() => executor.wake());
			executor.begin();
			await desk.begin();
			await settlements.begin();
			await runner.begin();
			scheduler.begin();
		},
		async [Symbol.asyncDispose]() {
			await scheduler[Symbol.asyncDispose]();
			await settlements[Symbol.asyncDispose]();
			await desk[Symbol.asyncDispose]();
			await executor[Symbol.asyncDispose]();
			await runner[Symbol.asyncDispose]();
			log[Symbol.dispose]();
		},
	};
}

/**
 * The time zone for times in a user's words. In an app it is the bridge's, which usually runs on the user's machine; on Discord it is the
 * zone set in the channel's settings, or else the bridge's.
 */
function zoneOf(origin: Origin | undefined, { discordZone }: Pick<OpenedChannels, "discordZone">): SaidZone {
	const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
	if (origin?.kind !== "operator" || origin.id !== "discord") return { timezone: own };
	const timezone = discordZone();
	if (timezone !== undefined) return { timezone };
	return { timezone: own, note: `times are in ${own}, the bridge's time zone: set yours under Settings > Channels > Discord` };
}

/** The facts that a plan made from words is checked against. */
async function draftScene({ channels, service }: OpenedChannels, clock: Pick<Clock, "now">) {
	const views = [...channels.values()].map(async (channel) => ({
		channel: channel.channel,
		hasOwner: channel.owner() !== undefined,
		ownerWords: ownerWords(channel.owner()),
		...omitUndefined({ unavailable: (await channel.availability())?.message }),
	}));
	return { now: clock.now(), channels: await Promise.all(views), contacts: (await service["contacts.list"]({})).contacts };
}

function deliveryLimits({ deliverWithinMs, sendTimeoutMs, confirmMs, sendsPerHour }: PlanLimits, stopMs: number): DeliveryLimits {
	return { ...defaultDeliveryLimits, deliverWithinMs, sendTimeoutMs, confirmMs, sendsPerHour, stopMs };
}
