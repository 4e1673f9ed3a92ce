import { z } from "zod";

/** Why something cannot be used, and what to do about it. */
export const Unavailable = z.object({ code: z.string(), message: z.string(), fix: z.string() });
export type Unavailable = z.infer<typeof Unavailable>;
