import type { ThreadId, TurnId } from "@xworkmate/contracts";
import type { GatewayQueueView, SendRequest, SentTurn } from "../api/app-api.ts";
import type * as ui from "../api/ui-api.ts";
import type { ArtifactSource, BridgeClient, BridgeEndpoint } from "../bridge-client/index.ts";
import type { BridgeTrouble } from "../process/bridge/bridge-trouble.ts";
import type { SqliteThreadStore } from "../threads/index.ts";
import type { ThreadRepository } from "../threads/thread-repository.ts";

/** The process around the core: what it alone knows and may do. */
export interface UiHost {
	settings(): ui.SettingsView;
	/** Absent when the bridge is not this app's own. */
	readonly restartBridge?: () => Promise<void>;
	/** Opens a folder with this machine's file browser. */
	openPath(path: string): Promise<void>;
	/** Values of the environment that never leave in a log. */
	readonly secrets: readonly string[];
}

export interface UiCoreParts {
	readonly home: string;
	readonly store: SqliteThreadStore;
	readonly repository: ThreadRepository;
	readonly client: BridgeClient;
	readonly endpoint: () => Promise<BridgeEndpoint>;
	readonly host: UiHost;
	readonly source: ArtifactSource;
	readonly gatewayQueue: () => GatewayQueueView;
	readonly opened: (threadId: ThreadId) => void;
	readonly isInTouch: (key: SentTurn) => boolean;
	readonly bridgeTroubled: (trouble: BridgeTrouble | undefined) => void;
	readonly send: (request: SendRequest, turnId: TurnId) => Promise<SentTurn>;
	readonly fault: (error: unknown) => void;
	readonly bridgeAskMs?: number;
}
