import { createHash } from "node:crypto";
import type { Sha256 } from "@xworkmate/contracts";

/** In hex; of a text, of its UTF-8. The contracts' own takes ten times as long, which counts for megabytes. */
export function sha256Of(data: string | Uint8Array): Sha256 {
	return createHash("sha256").update(data).digest("hex");
}
