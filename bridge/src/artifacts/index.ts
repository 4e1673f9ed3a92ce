export { checkContract } from "./check-contract.ts";
export { createArtifactStore } from "./file-artifact-store.ts";
export { createRunWorkspace } from "./workspace/file-run-workspace.ts";
export { sweepInputs } from "./workspace/store-attachments.ts";
