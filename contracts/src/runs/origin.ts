import { z } from "zod";
import { OriginId } from "../ids/ids.ts";

export const OriginKind = z.enum(["app", "plan", "operator", "acp"]);
export type OriginKind = z.infer<typeof OriginKind>;

/**
 * Who started a run: an app, a plan, a message on Discord or a program of the bridge's operator (`operator`), or a client of
 * `xworkmate acp`. No origin means an app.
 */
export const Origin = z.object({ kind: OriginKind, id: OriginId });
export type Origin = z.infer<typeof Origin>;
