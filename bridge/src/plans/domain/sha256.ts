import { createHash } from "node:crypto";
import type { Sha256 } from "@xworkmate/contracts";

/** sha256 in hex, of a string as UTF-8. The contracts' own version takes ten times as long, which matters for megabytes. */
export function sha256Of(data: string | Uint8Array): Sha256 {
	return createHash("sha256").update(data).digest("hex");
}
