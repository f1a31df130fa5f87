import { z } from 'zod';

// The page’s policy forbids compiled code, which zod otherwise tries to create for its validators at each start.
z.config({ jitless: true });
