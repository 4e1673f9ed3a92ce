import { z } from "zod";
import { Timestamp } from "../ids/ids.ts";

/** `bridge/endpoint.json` and `app/endpoint.json`: written once the process listens. */
export const Endpoint = z.object({ url: z.url(), pid: z.int().min(1), startedAt: Timestamp });
export type Endpoint = z.infer<typeof Endpoint>;
