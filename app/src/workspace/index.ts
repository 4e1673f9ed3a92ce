export { type ArtifactDemand, artifactContract } from "./artifact-contract.ts";
export { ensureThreadFolder, FolderTaken, removeEmptyThreadFolder, removeThreadFolder, threadFolder } from "./thread-workspace.ts";
export { workspaceContext } from "./workspace-context.ts";
