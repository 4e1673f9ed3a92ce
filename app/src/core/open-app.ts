import { setImmediate } from "node:timers/promises";
import { clearPutBack, isPutBack } from "@xworkmate/platform/files";
import { accountFunctions } from "../accounts/account-functions.ts";
import { agentFunctions } from "../agents/agent-functions.ts";
import type { AppApi } from "../api/app-api.ts";
import { approvalFunctions } from "../approvals/approval-functions.ts";
import { PendingApprovals } from "../approvals/pending-approvals.ts";
import { ArtifactDownload, BridgeClient, type ClientBounds, clientBounds, findBridge, RestartedBridge } from "../bridge-client/index.ts";
import { ChangeFeed } from "../changes/change-feed.ts";
import { SmallState } from "../changes/small-state.ts";
import { composerFunctions } from "../composer/composer-functions.ts";
import { Drafts } from "../composer/drafts.ts";
import { MessageSender } from "../composer/message-sender.ts";
import { ThreadQueue } from "../composer/thread-queue.ts";
import { type AppHost, headlessHost } from "../doctor/app-host.ts";
import { BridgeWatch } from "../doctor/bridge-watch.ts";
import { Diagnosis } from "../doctor/diagnosis.ts";
import { doctorFunctions } from "../doctor/doctor-functions.ts";
import type { HomeToVerify } from "../doctor/verify-home.ts";
import { editFunctions } from "../edits/edit-functions.ts";
import { ThreadExport } from "../export/thread-export.ts";
import { fileFunctions } from "../files/file-functions.ts";
import { FolderWatches } from "../files/folder-watches.ts";
import { FilesOfThreads } from "../files/thread-files.ts";
import { channelFunctions } from "../plans/channel-functions.ts";
import { PlanBook } from "../plans/plan-book.ts";
import { planFunctions } from "../plans/plan-functions.ts";
import type { BridgeTrouble } from "../process/bridge/bridge-trouble.ts";
import { receiptFunctions } from "../receipts/receipt-functions.ts";
import { RunLogs } from "../run-log/run-logs.ts";
import { settingFunctions } from "../settings/setting-functions.ts";
import { BackgroundUpkeep } from "../store/background-upkeep.ts";
import { DatabaseCheck } from "../store/database-check.ts";
import { type AppStore, openAppStore } from "../store/open-app-store.ts";
import type { SurfaceStore } from "../store/surface-store.ts";
import { type SyncBounds, syncBounds } from "../sync/index.ts";
import { AppEvents } from "../threads/app-events.ts";
import { CurrentSteps } from "../threads/current-steps.ts";
import type { TurnRequest } from "../threads/index.ts";
import { ThreadDeletion } from "../threads/thread-deletion.ts";
import { threadFunctions } from "../threads/thread-functions.ts";
import { ThreadList } from "../threads/thread-list.ts";
import { ThreadRepository } from "../threads/thread-repository.ts";
import { ThreadSummaries } from "../threads/thread-summaries.ts";
import { toolFunctions } from "../tools/tool-functions.ts";
import { BackgroundTurns } from "../turns/background-turns.ts";
import { isForAnother } from "../turns/bridge-of-turn.ts";
import { holdRestored } from "../turns/hold-restored.ts";
import { TurnFeed } from "../turns/turn-feed.ts";
import { turnFunctions } from "../turns/turn-functions.ts";
import { usageByDay, usageSince } from "../turns/usage-by-day.ts";

export interface AppOptions {
	/** XWORKMATE_HOME. */
	readonly home: string;
	/** The address of a bridge elsewhere; absent for the home's own bridge. */
	readonly bridgeUrl?: string;
	/** Where programs such as git are found: a PATH. */
	readonly searchPath?: string | undefined;
	readonly token?: string;
	readonly bounds?: {
		readonly client?: Partial<ClientBounds>;
		readonly sync?: Partial<SyncBounds>;
		readonly unresolvedAskMs?: number;
		/** Milliseconds between two polls of the bridge while turns wait in the OpenClaw queue. */
		readonly queueAskMs?: number;
		/** Milliseconds between two polls of the bridge while a page is open. */
		readonly bridgeAskMs?: number;
	};
	/** The process that the app runs in. Without it, functions that need one fail. */
	readonly host?: AppHost;
	/** Reports failures of this machine or of this code. The affected work is tried again. */
	readonly fault?: (error: unknown) => void;
}

const UNRESOLVED_ASK_MS = 10 * 60_000;
const QUEUE_ASK_MS = 10_000;
const BRIDGE_ASK_MS = 30_000;

/** The app's state and its work; the only owner of `<home>/app`. Closing it leaves active turns on disk as they are. */
export interface OpenedApp extends AsyncDisposable {
	/** The API for surfaces. */
	readonly api: AppApi;
	readonly files: FilesOfThreads;
	readonly runLogs: RunLogs;
	readonly threadExport: ThreadExport;
	readonly receipts: Pick<ArtifactDownload, "openReceipts">;
	/** The links that let a browser in, and the sessions of browsers that were let in. */
	readonly sessions: Pick<SurfaceStore, "addLink" | "takeLink" | "addSession" | "hasSession">;
	/**
	 * Prepares, in steps, the list of threads of a home that an earlier version wrote; `onLeft` receives the number of threads that are left.
	 * Without this call, the first list takes as long as all the steps together.
	 */
	prepareList(onLeft: (threads: number) => void): Promise<void>;
	/**
	 * Resumes every active turn, sends queued messages, asks about unresolved turns, and begins the database's upkeep and check. In a home
	 * that was restored from a backup, messages that may have been sent since the backup are not sent.
	 */
	resume(): void;
	/** True if a turn is in progress. */
	hasActiveTurns(): boolean;
	/** Called by the supervisor of this machine's bridge when a problem begins, changes or ends. */
	bridgeTroubled(trouble: BridgeTrouble | undefined): void;
}

/**
 * Creates every part of the app, each after the parts it needs; they notify each other through `events`. Closing the app also closes
 * `opened`.
 * @throws AppHomeInUse, AppError APP_DATABASE_NEWER, APP_DATABASE_DAMAGED
 */
export function openApp(options: AppOptions, opened: AppStore = openAppStore(options.home)): OpenedApp {
	const { owned, store, unchecked } = opened;
	const { bounds: given = {}, fault = () => undefined, host = headlessHost, ...settings } = options;
	const { unresolvedAskMs = UNRESOLVED_ASK_MS, queueAskMs = QUEUE_ASK_MS, bridgeAskMs: askMs = BRIDGE_ASK_MS } = given;
	const bounds = { client: { ...clientBounds, ...given.client }, sync: { ...syncBounds, ...given.sync }, unresolvedAskMs, queueAskMs };
	const check = unchecked === undefined ? undefined : new DatabaseCheck(unchecked, fault);
	const { home } = owned;

	const events = new AppEvents();
	const endpoint = () => findBridge(settings);
	const client = new BridgeClient(endpoint, bounds.client, (answered) => void events.emit("bridgeHeard", answered));
	const restarted = new RestartedBridge(host.restartBridge !== undefined);
	const source = new ArtifactDownload(endpoint, bounds.client.idleMs);
	const repository = new ThreadRepository(store, events);
	const files = new FilesOfThreads({ home, store, repository, source });

	const feed = new TurnFeed({ store, repository, events, files });
	const isElsewhere = (request: TurnRequest) => isForAnother(request, settings.bridgeUrl);
	const deletion = new ThreadDeletion({ home, store, repository, client, isElsewhere });
	const ownBridge = settings.bridgeUrl === undefined;
	const background = new BackgroundTurns({
		home,
		store,
		repository,
		events,
		feed,
		client,
		bridgeUrl: settings.bridgeUrl,
		source,
		deletion,
		files,
		bounds,
		fault,
	});
	const { gatewayQueue } = background;

	const sender = new MessageSender({ home, bridgeUrl: settings.bridgeUrl, store, repository, deletion, background });
	const drafts = new Drafts({ store, repository, events });
	const threadQueue = new ThreadQueue({ home, store, repository, events, sender, fault });

	const pages = new ChangeFeed(events);
	const approvals = new PendingApprovals(client, events);
	const bridge = new BridgeWatch({
		...{ client, endpoint, events, approvals, pages, fault, askMs },
		own: host.restartBridge !== undefined,
		startedByUser: () => host.startedByUser?.() === true,
	});
	const book = new PlanBook({ client, bounds: bounds.client, events, fault });
	const watches = new FolderWatches({ events, files, pages, fault });
	const diagnosis = new Diagnosis({
		home,
		gatewayQueue,
		secrets: host.secrets,
		...(host.running && { running: host.running }),
		...(check && { check }),
	});
	const upkeep = new BackgroundUpkeep(store.upkeep, events, fault);
	const runLogs = new RunLogs({ store, secrets: () => diagnosis.secrets() });

	const list = new ThreadList(store.surface, events);
	const steps = new CurrentSteps(events);
	const summaries = new ThreadSummaries({ store, repository, events, list, steps, feed, gatewayQueue, threadQueue });
	const state = new SmallState({ store: store.surface, summaries, approvals, gatewayQueue, bridge, plans: book });

	const receiptCalls = receiptFunctions({ client, source });
	const stored: HomeToVerify = {
		home,
		ownBridge,
		searchPath: settings.searchPath,
		// A separate instance has no cached hashes, so every file is read again.
		threads: () => ({
			home,
			threads: list.all(),
			files: new FilesOfThreads({ home, store, repository, source }),
		}),
		receipts: () => receiptCalls.verifyReceipts({}),
	};
	const threadExport = new ThreadExport({ store, repository, files, queue: threadQueue, contact: { active: background.active, feed } });

	const api: AppApi = {
		...turnFunctions({ home, store, repository, client, restarted, deletion, background, feed, files }),
		...threadFunctions({ home, store, repository, events, deletion, background, feed, threadQueue }),
		exportThread: (of) => threadExport.pieces(of),
		...composerFunctions({ sender, drafts, threadQueue }),
		...approvalFunctions({ client, restarted, repository, approvals }),
		...receiptCalls,
		...toolFunctions(client),
		...accountFunctions(client),
		...agentFunctions(client, ownBridge),
		...editFunctions({ client, home, host, repository }),
		...planFunctions({ client, events, book }),
		...channelFunctions(client, book),
		...fileFunctions({ home, repository, host, files, watches }),
		...doctorFunctions({ client, bridge, host, diagnosis, gatewayQueue, stored }),
		...settingFunctions({ home, client, host, onChanged: () => void bridge.ask() }),
		runLog: (turn) => runLogs.show(turn),
		usage: async ({ threadId }) =>
			usageByDay(await (threadId === undefined ? store.reported.runsSince(usageSince(new Date())) : store.reported.runsOf(threadId))),
		changes() {
			const changes = pages.watch(state);
			bridge.lookAgain();
			book.follow();
			return changes;
		},
	};
	return {
		...{ api, files, runLogs, threadExport, receipts: source, sessions: store.surface },
		async prepareList(onLeft) {
			for (let left = store.surface.countTurns(); left > 0; left = store.surface.countTurns()) {
				onLeft(left);
				await setImmediate();
			}
		},
		resume() {
			if (isPutBack(owned.appFolder)) {
				threadQueue.holdRestored();
				holdRestored(store, repository);
				clearPutBack(owned.appFolder);
			}
			background.resume();
			void bridge.ask();
			threadQueue.resume();
			upkeep.begin();
			void check?.run();
		},
		hasActiveTurns: () => background.active.hasAny,
		bridgeTroubled: (trouble) => void events.emit("bridgeTroubled", trouble),
		async [Symbol.asyncDispose]() {
			feed.close();
			for (const part of [pages, watches, threadQueue, steps, upkeep]) part.close();
			check?.close();
			await bridge.close();
			await book.close();
			await background.close();
			opened[Symbol.dispose]();
		},
	};
}
