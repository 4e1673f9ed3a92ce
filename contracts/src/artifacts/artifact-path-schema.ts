import { z } from "zod";
import { artifactPathProblem } from "./artifact-path.ts";

/** A path inside a scope, UTF-8 NFC with '/'. */
export const ArtifactPath = z.string().refine((path) => artifactPathProblem(path) === undefined, "must be a safe relative path");
