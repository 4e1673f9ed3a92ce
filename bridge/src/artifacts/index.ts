export { checkContract } from "./check-contract.ts";
export { createArtifactVault } from "./file-artifact-vault.ts";
export { createRunWorkspace } from "./workspace/file-run-workspace.ts";
export { sweepInputs } from "./workspace/store-attachments.ts";
