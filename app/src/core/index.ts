export type { AppApi, AttachmentInput, DeletedThread, SendRequest, SentTurn, TurnEvent } from "./app-api.ts";
export { AppCore, type AppCoreOptions } from "./app-core.ts";
