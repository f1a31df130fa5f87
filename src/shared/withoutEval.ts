import { z } from 'zod';

// The policy of our pages and workers forbids compiled code, which zod otherwise tries to create for its validators at each start.
z.config({ jitless: true });
