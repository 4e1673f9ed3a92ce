export type {
	AppApi,
	AttachmentInput,
	DeletedThread,
	GatewayQueueView,
	SendRequest,
	SentTurn,
	ShownThread,
	TurnEvent,
} from "../api/app-api.ts";
export { AppCore, type AppCoreOptions } from "./app-core.ts";
export type { UiHost } from "./ui-core-parts.ts";
