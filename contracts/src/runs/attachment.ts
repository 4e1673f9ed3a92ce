import { z } from "zod";
import { artifactPathProblem } from "../artifacts/artifact-path.ts";
import { Sha256 } from "../ids/ids.ts";
import { limits } from "./limits.ts";

const fileName = z
	.string()
	.min(1)
	.max(255)
	.refine((name) => !name.includes("/") && artifactPathProblem(name) === undefined, "must be a plain file name");

/** A file that the user attached; its hash is checked, and it is placed in the workspace before the turn. */
export const Attachment = z.strictObject({
	name: fileName,
	mediaType: z.string().min(1).max(200),
	sizeBytes: z.int().min(0).max(limits.attachmentBytes),
	sha256: Sha256,
	base64: z.base64(),
});
export type Attachment = z.infer<typeof Attachment>;
